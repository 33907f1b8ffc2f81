import type { ReactNode } from 'react'
import {
  labelEndpoints,
  labelSheetLabels,
  labelSheets,
  labelsMax,
  type LabelSheet,
} from '@saddle/contract/production/labels.ts'
import { bytesOf, saveBytes } from '#kit/exports/save.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { number as shown } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

interface Props {
  readonly of: { readonly vehicleIds: readonly number[] } | { readonly importId: number }
  readonly onClose: () => void
}

/** Sheets of labels for chosen vehicles or a batch, saved as a PDF. */
export function LabelForm({ of, onClose }: Props): ReactNode {
  const isBatch = 'importId' in of
  return (
    <FormDialog
      title={t('打印标签')}
      call={labelEndpoints.printLabels}
      about={isBatch ? of.importId : 'chosen'}
      fields={{
        sheet: choice<LabelSheet>({
          label: t('标签纸（A4）'),
          initial: 'grid_24',
          options: labelSheets.map((value) => ({ value, label: t(labelSheetLabels[value]) })),
        }),
        skip: number({ label: t('已用掉的格数'), initial: 0, hint: t('第一张纸上从左上角数起') }),
        from: number({ label: t('从第几辆开始'), initial: 1 }),
        address: text({
          label: t('二维码网址前缀'),
          type: 'url',
          hint: t('例如 https://example.com/r?n= ；不填时二维码只含车辆编号'),
          isOptional: true,
          refusals: ['labels_none'],
        }),
      }}
      adjust={() => ({ from: { isHidden: !isBatch } })}
      input={({ from, ...values }) => ({
        ...values,
        ...(isBatch ? { importId: of.importId, from } : { vehicleIds: [...of.vehicleIds] }),
      })}
      submit={t('生成 PDF')}
      done={({ data }) =>
        data.labels < data.total
          ? t('已生成 {{labels}} 张，批次共 {{total}} 辆，其余从第 {{next}} 辆起再打印', {
              labels: shown(data.labels),
              total: shown(data.total),
              next: shown(data.labels + 1),
            })
          : t('已生成 {{count}} 张标签', { count: data.labels })
      }
      onDone={({ data }) => saveBytes(data.name, [bytesOf(data.base64)])}
      onClose={onClose}
    >
      <p>{t('每个文件最多 {{labels}} 张；扫码页面与现场页面都能识别。', { labels: shown(labelsMax) })}</p>
    </FormDialog>
  )
}
