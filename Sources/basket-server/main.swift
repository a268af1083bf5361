BasketServerCommand.main()
