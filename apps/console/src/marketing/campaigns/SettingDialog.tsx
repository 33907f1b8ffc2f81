import type { ReactNode } from 'react'
import { campaignEndpoints, type MarketingSetting } from '@saddle/contract/marketing/campaigns.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { useCompany } from '../help/CompanyChoice.tsx'

/** The limits of a company for all of its campaigns, with who set them. */
export function SettingDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  // The platform's own company has no riders: it begins with the first one that has service areas.
  const { agentId, companies, choose } = useCompany()
  const setting = useEndpoint(
    campaignEndpoints.marketingSetting,
    { agentId: agentId ?? 0 },
    { enabled: agentId !== null },
  )
  if (agentId === null || setting.data === undefined) return null
  const { changedAt, changedBy, ...now } = setting.data.data
  return (
    <SettingForm key={agentId} agentId={agentId} now={now} onClose={onClose}>
      <p className="form-choices">
        {companies.length > 1 && (
          <SelectOne label={t('加盟商')} value={agentId} options={companies} onChange={choose} isSearched />
        )}
        <small>
          {changedAt === null
            ? t('尚未设置，使用默认值')
            : t('{{name}} 于 {{at}} 设置', { name: changedBy ?? '', at: dateTime(changedAt) })}
        </small>
      </p>
    </SettingForm>
  )
}

interface FormProps {
  readonly agentId: number
  readonly now: MarketingSetting
  readonly onClose: () => void
  readonly children: ReactNode
}

function SettingForm({ agentId, now, onClose, children }: FormProps) {
  return (
    <FormDialog
      title={t('对照组与触达上限')}
      call={campaignEndpoints.setMarketingSetting}
      about={agentId}
      fields={{
        controlPercent: number({
          label: t('全局对照组'),
          unit: '%',
          hint: t('这些用户不参与任何活动，也收不到任何推送'),
          initial: now.controlPercent,
          at: 'setting.controlPercent',
        }),
        weeklyMax: number({
          label: t('每人每周最多触达'),
          unit: t('次'),
          isOptional: true,
          at: 'form.weeklyMax',
          ...(now.weeklyMax !== null && { initial: now.weeklyMax }),
        }),
      }}
      input={({ controlPercent, weeklyMax }) => ({
        agentId,
        setting: { controlPercent, weeklyMax: weeklyMax ?? null },
      })}
      submit={t('保存设置')}
      stale={[campaignEndpoints.marketingSetting]}
      done={() => t('已保存，对之后的发送生效')}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
