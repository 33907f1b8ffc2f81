/** Without 030601: a regulator is told numbers and densities, and the position of no single vehicle. */
export const mapCodes = ['0301', '0302'] as const
export const commandCodes = ['0301', '0302'] as const
export const inboxCode = '180101'
