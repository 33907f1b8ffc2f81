/** Codes of the pages on which single vehicles are looked at; holding one of them is enough to read a vehicle. */
export const vehicleReaders = ['0301', '0302', '0305', '0307'] as const
