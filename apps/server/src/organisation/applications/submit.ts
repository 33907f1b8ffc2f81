import type { applicationSchema } from '@saddle/contract/organisation/applications.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { z } from 'zod'
import type { Kit } from '#kit/kit.ts'
import { applicationNumber } from './rules.ts'
import { insertApplication } from './store.ts'

export const phonePurpose = 'application-phone'
export const contactPurpose = 'application-contact'
export const phoneLookUpPurpose = 'application-phone-hash'

type SubmitKit = Pick<Kit, 'db' | 'clock' | 'random' | 'secrets'>

/** Stores an application and returns its number. Throws application_duplicate while one of the same phone waits. */
export async function submitApplication(kit: SubmitKit, given: z.output<typeof applicationSchema>): Promise<string> {
  const { db, clock, random, secrets } = kit
  const number = applicationNumber({ nowMs: clock.now(), random })
  const isNew = await insertApplication({
    db,
    row: {
      number,
      company: given.company,
      contact_sealed: secrets.encryptText({ purpose: contactPurpose, text: given.contact, context: number }),
      phone_sealed: secrets.encryptText({ purpose: phonePurpose, text: given.phone, context: number }),
      phone_hash: secrets.hmac({ purpose: phoneLookUpPurpose, text: given.phone }),
      city: given.city,
      planned_vehicles: given.plannedVehicles,
      remark: given.remark,
      created_at: new Date(clock.now()),
    },
  })
  if (!isNew) throw new AppError('application_duplicate')
  return number
}
