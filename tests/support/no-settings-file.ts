/** For programs that tests start: the settings of whoever works here, a real webhook among them, are none of theirs. */
export const NO_SETTINGS_FILE = { SETTINGS_FILE: '/dev/null' }
