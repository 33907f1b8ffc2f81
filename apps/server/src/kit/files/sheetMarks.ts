/**
 * Before a number of more digits than a spreadsheet keeps: the last ones are zeros that nobody typed. In a file of its own,
 * because the thread that reads files loads nothing else of the server.
 */
export const lostDigits = '≈'
/** Digits that a number of a spreadsheet keeps. */
export const digitsKept = 15
