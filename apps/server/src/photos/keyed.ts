import { textOf, type KeyedValues } from '#kit/keyed.ts'

export const photoPurpose = 'photo'

/** Photos, sealed for their own rows. */
export const photosKeyed: KeyedValues = {
  tables: [
    {
      table: 'photo',
      key: ['id', 'uuid'],
      type: 'bytea',
      sealed: { sealed: [photoPurpose] },
      hashes: [],
      reads: [],
      isLater: true,
      rekey: (row, secrets) => {
        const [sealed, context] = [row['sealed'], textOf(row, 'id')]
        if (!Buffer.isBuffer(sealed)) return { sealed: null }
        const bytes = secrets.decryptBytes({ purpose: photoPurpose, sealed, context })
        return { sealed: secrets.encryptBytes({ purpose: photoPurpose, bytes, context }) }
      },
    },
  ],
  keptPurposes: [],
}
