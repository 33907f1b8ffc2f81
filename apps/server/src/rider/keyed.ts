import type { Keyring } from '#kit/crypto.ts'
import { textOf, type KeyedRow, type KeyedTable, type KeyedValues } from '#kit/keyed.ts'
import { devicePurpose } from './people/devices.ts'
import { createSeals, purposes } from './people/seals.ts'

const optional = (row: KeyedRow, column: string): string | null => {
  const value = row[column]
  return typeof value === 'string' ? value : null
}

const riders: KeyedTable = {
  table: 'rider',
  key: ['id', 'bigint'],
  type: 'text',
  sealed: {
    phone_sealed: [purposes.phone],
    name_sealed: [purposes.name],
    cert_sealed: [purposes.certificate],
  },
  hashes: ['phone_hash', 'name_hash', 'cert_hash'],
  reads: [],
  rekey: (row, secrets) => {
    const seals = createSeals(secrets)
    const phoneHash = textOf(row, 'phone_hash')
    const phone = seals.sealPhone(seals.openPhone({ phone_sealed: textOf(row, 'phone_sealed'), phone_hash: phoneHash }))
    const nameSealed = optional(row, 'name_sealed')
    const name = nameSealed === null ? null : seals.openName({ name_sealed: nameSealed, phone_hash: phoneHash })
    const [certSealed, certHash] = [optional(row, 'cert_sealed'), optional(row, 'cert_hash')]
    const certificate =
      certSealed === null || certHash === null
        ? null
        : seals.sealIdNumber(seals.openIdNumber({ cert_sealed: certSealed, cert_hash: certHash }))
    return {
      phone_sealed: phone.sealed,
      phone_hash: phone.hash,
      name_sealed: name === null ? null : seals.sealName(name, phone.hash),
      // Names from before they were looked up by have no hash yet; a job adds it.
      name_hash: name === null || row['name_hash'] === null ? null : seals.nameHash(name),
      cert_sealed: certificate?.sealed ?? null,
      cert_hash: certificate?.hash ?? null,
    }
  },
}

const rebinds: KeyedTable = {
  table: 'rider_rebind',
  key: ['id', 'bigint'],
  type: 'text',
  sealed: { new_sealed: [purposes.phone, purposes.certificate], name_sealed: [purposes.name] },
  hashes: ['new_hash'],
  reads: ['kind'],
  rekey: (row, secrets) => {
    const seals = createSeals(secrets)
    const wanted = sealedAnew(row, secrets)
    const nameSealed = optional(row, 'name_sealed')
    const name =
      nameSealed === null ? null : seals.openName({ name_sealed: nameSealed, phone_hash: textOf(row, 'new_hash') })
    return {
      new_sealed: wanted.sealed,
      new_hash: wanted.hash,
      name_sealed: name === null ? null : seals.sealName(name, wanted.hash),
    }
  },
}

function sealedAnew(row: KeyedRow, secrets: Keyring): { readonly hash: string; readonly sealed: string } {
  const seals = createSeals(secrets)
  const [sealed, hash] = [textOf(row, 'new_sealed'), textOf(row, 'new_hash')]
  return row['kind'] === 'phone'
    ? seals.sealPhone(seals.openPhone({ phone_sealed: sealed, phone_hash: hash }))
    : seals.sealIdNumber(seals.openIdNumber({ cert_sealed: sealed, cert_hash: hash }))
}

/** What is kept of riders under the master secret. */
export const riderKeyed: KeyedValues = { tables: [riders, rebinds], keptPurposes: [devicePurpose] }
