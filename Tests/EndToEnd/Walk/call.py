"""Marks what a walk may do."""


def caller(calls):
    """Makes a decorator that puts a function among `calls`, with how often it is called beside others."""

    def call(weight):
        def add(function):
            function.weight = weight
            calls[function.__name__] = function
            return function

        return add

    return call
