// S107: nothing to do: the process ends at once, with code 0 and no output.
