/// What takes the place of something that is not here has to be safe before it does.
package struct VolatileSuccessor: Error {}
