import { AppError, type ErrorCode } from '@saddle/contract/errors.ts'
import { isTaken } from '#kit/db/pgErrors.ts'

/** What another vehicle has already, by the index that refused it. */
const byIndex: Readonly<Record<string, ErrorCode>> = {
  production_unit_serial: 'serial_taken',
  production_unit_mac: 'mac_taken',
  production_unit_iccid: 'iccid_taken',
  device_imei_key: 'imei_taken',
  vehicle_number_key: 'vehicle_number_taken',
}

/** Somebody was quicker: the database says which number is taken. Numbers of a batch stand in its lines. */
export const rethrowTaken =
  ({ number = '', imei = '' }: { readonly number?: string; readonly imei?: string } = {}) =>
  (error: unknown): never => {
    const index = isTaken(error) && error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
    const code = byIndex[index]
    throw code === undefined ? error : new AppError(code, { values: { number, imei }, cause: error })
  }
