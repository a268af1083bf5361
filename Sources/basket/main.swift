BasketCommand.main()
