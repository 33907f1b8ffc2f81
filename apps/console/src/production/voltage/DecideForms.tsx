import type { ReactNode } from 'react'
import { voltageEndpoints, type VoltageScheme } from '@saddle/contract/production/voltage.ts'
import type { VoltageVersion } from '@saddle/contract/production/voltageWords.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { moment } from '#kit/form/otherFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleVoltage } from './words.ts'

interface Props {
  readonly scheme: VoltageScheme
  readonly version: VoltageVersion
  readonly onClose: () => void
}

/** Puts a version that was replayed in force. */
export function EnforceForm({ scheme, version, onClose }: Props): ReactNode {
  const { id: versionId, revision, number } = version
  return (
    <FormDialog
      title={t('{{name}} V{{number}} 生效', { name: scheme.name, number })}
      call={voltageEndpoints.enforceVoltageVersion}
      about={`${versionId} ${revision}`}
      fields={{
        from: moment({ label: t('生效时间'), isOptional: true, hint: t('不填则一分钟后生效') }),
        reason: text({ label: t('原因（写入操作日志）') }),
      }}
      input={({ from, reason }) => ({ versionId, revision, from: from ?? null, reason })}
      submit={t('生效')}
      stale={staleVoltage}
      done={({ data }) => t('将于 {{time}} 生效', { time: dateTime(data.from) })}
      onClose={onClose}
    >
      <p>{t('对所有加盟商的这些车型立即换算之后的上报；已存的电量不变，并记着各自的版本。')}</p>
    </FormDialog>
  )
}

/** Takes back a version that waits, or ends the one in force. */
export function WithdrawForm({ scheme, version, onClose }: Props): ReactNode {
  const { id: versionId, revision, number, state } = version
  const isWaiting = state === 'waiting'
  return (
    <FormDialog
      title={
        isWaiting
          ? t('撤回 {{name}} V{{number}}', { name: scheme.name, number })
          : t('结束 {{name}} V{{number}}', { name: scheme.name, number })
      }
      call={voltageEndpoints.withdrawVoltageVersion}
      about={`${versionId} ${revision}`}
      fields={{ reason: text({ label: t('原因（写入操作日志）') }) }}
      input={({ reason }) => ({ versionId, revision, reason })}
      submit={isWaiting ? t('撤回') : t('结束')}
      stale={staleVoltage}
      done={() => (isWaiting ? t('已撤回') : t('一分钟后结束'))}
      onClose={onClose}
    >
      <p>
        {isWaiting
          ? t('这个版本不会生效；在它之前生效的版本继续有效。')
          : t('一分钟后这些车型恢复显示设备自报的电量。')}
      </p>
    </FormDialog>
  )
}
