import { z } from 'zod'
import { answerOf, idSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { productionFiles } from './artefacts.ts'

/** Sheets of labels with QR codes that the scanner reads. */

/** Labels of one file. */
export const labelsMax = 1_000

/** Labels of an A4 sheet, in millimetres. */
export const labelSheets = ['grid_24', 'grid_40', 'grid_65'] as const
export type LabelSheet = (typeof labelSheets)[number]
export const labelSheetLabels: Readonly<Record<LabelSheet, string>> = {
  grid_24: '24 张（70 × 37 mm）',
  grid_40: '40 张（52.5 × 29.7 mm）',
  grid_65: '65 张（38.1 × 21.2 mm）',
}

/** What the code of a label says; a scanner takes the number out of either. */
export const labelText = (number: string, address = ''): string => `${address}${number}`

export const labelEndpoints = defineEndpoints({
  printLabels: {
    ...productionFiles,
    scope: 'area',
    method: 'POST',
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.lists,
    path: `${basePath}/production/labels`,
    summary: '车辆标签（PDF，A4）：二维码为车辆编号，扫码页面可直接识别；按批次或按所选车辆',
    input: z
      .object({
        importId: idSchema.optional(),
        vehicleIds: z.array(idSchema).min(1).max(labelsMax).optional(),
        sheet: z.enum(labelSheets),
        /** Stands before the number in the code, for apps that open an address. */
        address: z
          .url({ protocol: /^https?$/ })
          .max(80)
          .optional(),
        /** The first label of a batch that is printed. */
        from: z.int().min(1).max(100_000).default(1),
        /** Places of the first sheet that were used before. */
        skip: z.int().min(0).max(64).default(0),
      })
      .refine(({ importId, vehicleIds }) => (importId === undefined) !== (vehicleIds === undefined), {
        error: '请选择批次或车辆',
      }),
    output: answerOf(
      z.object({
        name: z.string(),
        base64: z.string(),
        labels: z.int(),
        /** Vehicles of the batch, or those that were chosen and found. */
        total: z.int(),
      }),
    ),
  },
})
