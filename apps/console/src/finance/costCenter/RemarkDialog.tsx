import type { ReactNode } from 'react'
import { costCenterEndpoints, type AssetDetail } from '@saddle/contract/finance/costCenter.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'

/** A remark on a movement; the books do not change. */
export default function RemarkDialog({
  detail,
  onClose,
}: {
  readonly detail: AssetDetail
  readonly onClose: () => void
}): ReactNode {
  return (
    <FormDialog
      title={t('备注')}
      call={costCenterEndpoints.remarkAssetDetail}
      about={detail.id}
      fields={{ remark: text({ label: t('备注'), initial: detail.remark, isOptional: true }) }}
      input={({ remark }) => ({ id: detail.id, remark: remark ?? '' })}
      submit={t('保存备注')}
      stale={[costCenterEndpoints.listAssetDetails]}
      done={() => t('已保存备注')}
      onClose={onClose}
    >
      <p>{t('备注本公司与平台都能看到，不改变账目；留空为清除。')}</p>
    </FormDialog>
  )
}
