import { z } from 'zod'

/** Files of rows that people upload: workbooks and CSV texts. */

/** Of the file as it is sent: a workbook, or a text that the console has compressed. */
export const sheetBytesMax = 6_291_456
/** Of the file when it is unpacked. */
export const sheetUnpackedBytesMax = 134_217_728

export const sheetBase64Schema = z
  .string()
  .min(4)
  .max((sheetBytesMax / 3) * 4)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)
