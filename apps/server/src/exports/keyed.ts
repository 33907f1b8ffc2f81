import { textOf, type KeyedValues } from '#kit/keyed.ts'

export const questionPurpose = 'export-question'
export const partPurpose = 'export-part'

export const partContext = (exportId: string, part: number): string => `${exportId} ${part}`

/** Files of lists and what they were asked for, each sealed for its own row. */
export const exportsKeyed: KeyedValues = {
  tables: [
    {
      table: 'export_job',
      key: ['export_id', 'uuid'],
      type: 'bytea',
      sealed: { question_sealed: [questionPurpose] },
      hashes: [],
      reads: [],
      isLater: true,
      rekey: (row, secrets) => {
        const [sealed, context] = [row['question_sealed'], textOf(row, 'export_id')]
        if (!Buffer.isBuffer(sealed)) return { question_sealed: null }
        const bytes = secrets.decryptBytes({ purpose: questionPurpose, sealed, context })
        return { question_sealed: secrets.encryptBytes({ purpose: questionPurpose, bytes, context }) }
      },
    },
    {
      table: 'export_part',
      key: ['id', 'bigint'],
      type: 'bytea',
      sealed: { sealed: [partPurpose] },
      hashes: [],
      reads: ['export_id', 'part'],
      isLater: true,
      rekey: (row, secrets) => {
        const [sealed, context] = [row['sealed'], partContext(textOf(row, 'export_id'), Number(textOf(row, 'part')))]
        if (!Buffer.isBuffer(sealed)) return { sealed: null }
        const bytes = secrets.decryptBytes({ purpose: partPurpose, sealed, context })
        return { sealed: secrets.encryptBytes({ purpose: partPurpose, bytes, context }) }
      },
    },
  ],
  keptPurposes: [],
}
