await BasketServerCommand.main()
