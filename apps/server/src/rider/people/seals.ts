import type { Keyring } from '#kit/crypto.ts'

export const purposes = { phone: 'rider', name: 'rider', certificate: 'rider-certificate' } as const
const namePurpose = 'rider-name'

/** Phone, name and certificate of riders: sealed in their rows, found by the hash of a whole value, shown in part. */
export type Seals = {
  phoneHash(phone: string): string
  nameHash(name: string): string
  certificateHash(number: string): string
  sealPhone(phone: string): { readonly hash: string; readonly sealed: string }
  sealIdNumber(number: string): { readonly hash: string; readonly sealed: string }
  /** A name is bound to the row's phone: moved to another row it does not open. */
  sealName(name: string, phoneHash: string): string
  openPhone(row: { readonly phone_sealed: string; readonly phone_hash: string }): string
  openName(row: { readonly name_sealed: string; readonly phone_hash: string }): string
  openIdNumber(row: { readonly cert_sealed: string; readonly cert_hash: string }): string
}

export function createSeals(secrets: Keyring): Seals {
  const phoneHash = (phone: string): string => secrets.hmac({ purpose: purposes.phone, text: phone })
  const certificateHash = (number: string): string => secrets.hmac({ purpose: purposes.certificate, text: number })
  return {
    phoneHash,
    certificateHash,
    nameHash: (name) => secrets.hmac({ purpose: namePurpose, text: name }),
    sealPhone: (phone) => {
      const hash = phoneHash(phone)
      return { hash, sealed: secrets.encryptText({ purpose: purposes.phone, text: phone, context: hash }) }
    },
    sealIdNumber: (number) => {
      const hash = certificateHash(number)
      return { hash, sealed: secrets.encryptText({ purpose: purposes.certificate, text: number, context: hash }) }
    },
    sealName: (name, context) => secrets.encryptText({ purpose: purposes.name, text: name, context }),
    openPhone: (row) =>
      secrets.decryptText({ purpose: purposes.phone, sealed: row.phone_sealed, context: row.phone_hash }),
    openName: (row) =>
      secrets.decryptText({ purpose: purposes.name, sealed: row.name_sealed, context: row.phone_hash }),
    openIdNumber: (row) =>
      secrets.decryptText({ purpose: purposes.certificate, sealed: row.cert_sealed, context: row.cert_hash }),
  }
}

export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}****${phone.slice(7)}`
export const maskName = (name: string): string => `${name.slice(0, 1)}${'*'.repeat(Math.max(1, name.length - 1))}`
/** The first and the last few: enough to tell two apart, too little to use. */
export const maskIdNumber = (number: string): string => {
  const kept = number.length >= 12 ? 4 : 2
  return `${number.slice(0, kept)}${'*'.repeat(number.length - 2 * kept)}${number.slice(-kept)}`
}
