import { errorCatalogue } from '@saddle/contract/errors.ts'

/** A refusal as the descriptions of the calls say it. */
export const refusalSchema = {
  type: 'object',
  required: ['suc', 'error'],
  properties: {
    suc: { const: false },
    error: {
      type: 'object',
      required: ['code', 'promot'],
      properties: {
        code: { enum: Object.keys(errorCatalogue) },
        promot: { type: 'string', description: 'The reason in words' },
      },
    },
  },
}
