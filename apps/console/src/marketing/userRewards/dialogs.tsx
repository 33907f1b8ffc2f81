import type { ReactNode } from 'react'
import { phonePattern } from '@saddle/contract/constants.ts'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import { handSkipReasonLabels, userRewardEndpoints } from '@saddle/contract/marketing/userRewards.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint } from '#kit/query.ts'
import { rewardsField } from '../rewards/rewardFields.tsx'
import { staleRewards } from './words.ts'

const wordsOf = (typed: string): string[] => typed.split(/[\s,，;；]+/).filter((word) => word !== '')

interface GiveProps {
  /** The reward that is given again, to others; its number keeps the draft apart. */
  readonly of?: { readonly id: number; readonly agentId: number; readonly reward: Reward }
  readonly onClose: () => void
}

/** Gives rewards by hand; above what one person may do in a day a second one confirms it. */
export function GiveDialog({ of, onClose }: GiveProps): ReactNode {
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const rows = companies.data?.data.rows
  if (rows === undefined) return null
  return (
    <FormDialog
      title={t('人工发放奖励')}
      call={userRewardEndpoints.giveUserRewards}
      about={of === undefined ? 'hand' : `hand ${of.id}`}
      fields={{
        agentId: select<number>({
          label: t('加盟商'),
          options: rows.map(({ agentId, company }) => ({ value: agentId, label: company })),
          initial: of?.agentId ?? (rows.length === 1 ? (rows[0]?.agentId ?? null) : null),
        }),
        phones: {
          ...longText({ label: t('手机号'), rows: 4, hint: t('每行一个，最多 200 个'), isSecret: true }),
          read: (typed: string) => {
            const phones = wordsOf(typed)
            const wrong = phones.find((phone) => !phonePattern.test(phone))
            if (phones.length === 0) return { fault: t('请填写手机号') }
            return wrong === undefined ? { value: phones } : { fault: t('{{phone}} 不是手机号', { phone: wrong }) }
          },
        },
        rewards: rewardsField({ label: t('奖励'), ...(of !== undefined && { initial: [of.reward] }) }),
        note: reason({ presets: [t('投诉补偿'), t('活动补发')] }),
      }}
      input={(values) => values}
      submit={({ phones = [] }) => t('发放给 {{count}} 人', { count: phones.length })}
      stale={staleRewards}
      done={({ data: { given } }) => t('已发放 {{count}} 项奖励', { count: given })}
      onDone={({ data: { skipped, refused } }) => {
        const [first] = skipped
        if (first !== undefined) {
          const why = t(handSkipReasonLabels[first.why])
          notify.warning({ title: t('{{count}} 人没有发放', { count: skipped.length }), text: why })
        } else if (refused > 0) {
          notify.warning({ title: t('{{count}} 项未能发放', { count: refused }), text: t('原因见列表') })
        }
      }}
      onClose={onClose}
    />
  )
}

interface RevokeProps {
  readonly ids: readonly number[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Takes rewards back: what is pending or not used. */
export function RevokeRewardsDialog({ ids, onClose, onDone }: RevokeProps): ReactNode {
  const count = ids.length
  return (
    <FormDialog
      title={t('收回 {{count}} 项奖励', { count })}
      call={userRewardEndpoints.revokeUserRewards}
      about={ids.join()}
      fields={{ reason: reason({ note: t('骑行者可见'), presets: [t('误发'), t('违反活动规则')] }) }}
      input={(values) => ({ ids: [...ids], ...values })}
      submit={t('收回 {{count}} 项奖励', { count })}
      stale={staleRewards}
      done={({ data: { revoked } }) => t('已收回 {{count}} 项奖励', { count: revoked.length })}
      undo={({ data: { revoked, partly } }) => {
        const whole = revoked.filter((id) => !partly.includes(id))
        return whole.length === 0 ? null : { ids: whole }
      }}
      onDone={({ data: { partly, kept } }) => {
        if (partly.length > 0) {
          notify.warning({ title: t('{{count}} 项已使用一部分', { count: partly.length }), text: t('只收回剩余部分') })
        }
        if (kept.length > 0) {
          notify.warning({ title: t('{{count}} 项未收回', { count: kept.length }), text: t('已全部使用或失效') })
        }
        onDone?.()
      }}
      onClose={onClose}
    />
  )
}
