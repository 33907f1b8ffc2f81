import type { ReactNode } from 'react'
import { feedEndpoints } from '@saddle/contract/feeds/publication.ts'
import { flag } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import type { ShownPublication } from './shown.ts'

interface Props {
  readonly shown: ShownPublication
  readonly onClose: () => void
}

/** Whether a company publishes, and whom readers ask. */
export function SettingForm({ shown, onClose }: Props): ReactNode {
  const { agentId, version, isPublic, contactEmail } = shown
  return (
    <FormDialog
      title={t('公开数据')}
      call={feedEndpoints.saveFeedPublication}
      about={String(agentId)}
      submit={t('保存')}
      stale={[feedEndpoints.feedPublication]}
      done={() => t('已保存，一分钟内生效')}
      onClose={onClose}
      fields={{
        isPublic: flag({
          label: t('公开'),
          initial: version === 0 ? true : isPublic,
          says: t('公开本公司全部服务区的可骑车辆、停车点、围栏与价格'),
          hint: t('停止公开后，已有的地址立即不再返回数据'),
        }),
        contactEmail: text({
          label: t('联系邮箱'),
          initial: contactEmail ?? '',
          hint: t('标准要求公开一个邮箱，供使用方报告数据问题'),
        }),
      }}
      input={(typed) => ({ agentId, version, ...typed })}
    />
  )
}
