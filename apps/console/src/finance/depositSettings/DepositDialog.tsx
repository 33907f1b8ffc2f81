import { useState, type ReactNode } from 'react'
import { cardProductEndpoints } from '@saddle/contract/finance/cardProducts.ts'
import {
  depositRefundDays,
  depositSettingEndpoints,
  type DepositArea,
} from '@saddle/contract/finance/depositSettings.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { useAction } from '#kit/action/useAction.ts'
import { flag, many } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { yuan } from '#kit/form/textFields.tsx'
import { pageSizeMax } from '@saddle/contract/constants.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { PhoneCard, PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { centsOfYuan } from '@saddle/contract/money.ts'
import { depositText, exemptText, staleSettings } from './words.ts'
import './depositSettings.css'

export type DepositTarget =
  | { readonly kind: 'areas'; readonly areas: readonly DepositArea[] }
  | {
      readonly kind: 'company'
      readonly agentId: number
      readonly company: string
      readonly areaIds: readonly number[]
    }

interface Props {
  readonly target: DepositTarget
  readonly maxCents: number
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Sets the deposit of some areas, or what holds for all other areas of a company. */
export function DepositDialog({ target, maxCents, onClose, onDone }: Props): ReactNode {
  const products = useEndpoint(cardProductEndpoints.listCardProducts, { pageSize: pageSizeMax }, { quiet: true })
  const owners = target.kind === 'areas' ? target.areas.map(({ agentId }) => agentId) : [target.agentId]
  const offered = (products.data?.data.list ?? []).filter(
    ({ agentId, state }) => owners.every((owner) => owner === agentId) && state !== 'draft',
  )
  const from = target.kind === 'areas' ? target.areas[0] : undefined
  const areaIds = target.kind === 'areas' ? target.areas.map(({ areaId }) => areaId) : []
  const tried = target.kind === 'areas' ? areaIds : target.areaIds
  return (
    <FormDialog
      title={
        target.kind === 'company'
          ? t('“{{company}}”的默认押金', { company: target.company })
          : t('设置 {{count}} 个服务区的押金', { count: areaIds.length })
      }
      widthPx={720}
      call={depositSettingEndpoints.setDeposit}
      about={target.kind === 'company' ? `company ${target.agentId}` : areaIds.join()}
      fields={{
        cents: {
          ...yuan({
            label: t('押金'),
            hint: t('0 元即免押金；上限 {{yuan}} 元，按车辆平均成本的十分之一', { yuan: money(maxCents) }),
            initialCents: from?.cents ?? 0,
            maxCents,
            over: (most) => t('不能超过 {{yuan}} 元：押金不得高于车辆平均成本的十分之一', { yuan: most }),
          }),
          refusals: ['deposit_above_bound' as const],
        },
        freeStudents: flag({
          label: t('学生'),
          initial: from?.freeStudents ?? true,
          says: t('通过学生认证的免押金'),
        }),
        freeProfessions: flag({
          label: t('职业'),
          initial: from?.freeProfessions ?? false,
          says: t('通过职业认证的免押金'),
        }),
        freeCardHolders: flag({
          label: t('会员'),
          initial: from?.freeCardHolders ?? false,
          says: t('持有效卡的免押金'),
        }),
        freeProductIds: many<number>({
          label: t('免押的卡'),
          note: t('不选则所有骑行卡'),
          initial: from?.freeProductIds ?? [],
          options: offered.map(({ id, name }) => ({ value: id, label: name })),
          isLoading: products.isPending,
        }),
      }}
      adjust={({ freeCardHolders }) => ({ freeProductIds: { isHidden: !freeCardHolders } })}
      input={({ freeCardHolders, freeProductIds, ...values }) => ({
        ...values,
        freeCardHolders,
        freeProductIds: freeCardHolders ? freeProductIds : [],
        ...(target.kind === 'company' ? { agentId: target.agentId } : { areaIds }),
      })}
      submit={target.kind === 'company' ? t('保存默认押金') : t('保存到 {{count}} 个服务区', { count: areaIds.length })}
      stale={staleSettings}
      done={({ data: { areas } }) => t('已设置 {{count}} 处，只影响之后的骑行', { count: areas })}
      {...(onDone !== undefined && { onDone })}
      onClose={onClose}
    >
      {({ cents, ...values }) => {
        const terms = {
          ...values,
          freeProductIds: values.freeCardHolders ? [...values.freeProductIds] : [],
          cents: centsOfYuan(cents) ?? 0,
        }
        return (
          <div className="deposit-preview">
            <DepositPhone terms={terms} />
            {tried.length > 0 && terms.cents <= maxCents && <Effect areaIds={tried} terms={terms} />}
          </div>
        )
      }}
    </FormDialog>
  )
}

type Terms = Parameters<typeof depositText>[0]

/** What a rider reads before the first ride. */
export function DepositPhone({ terms }: { terms: Terms }): ReactNode {
  return (
    <div className="deposit-phone">
      <PhoneFrame title={t('开始用车')}>
        <PhoneCard
          title={depositText(terms)}
          lines={
            terms.cents === 0
              ? [t('直接扫码骑行')]
              : [
                  t('免押：{{who}}', { who: exemptText(terms) }),
                  t('申请退押金后 {{count}} 个工作日内原路退回', { count: depositRefundDays }),
                ]
          }
          aside={terms.cents === 0 ? undefined : t('去缴纳')}
        />
      </PhoneFrame>
    </div>
  )
}

type Preview = AnswerOf<typeof depositSettingEndpoints.previewDeposit>['data']

/** How many riders a setting affects, beside what is asked now. */
function Effect({ areaIds, terms }: { areaIds: readonly number[]; terms: Terms }) {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly preview: Preview } | null>(null)
  const wanted = { ...terms, freeProductIds: [...terms.freeProductIds], areaIds: [...areaIds] }
  const asked = JSON.stringify(wanted)
  const trial = useAction(depositSettingEndpoints.previewDeposit, {
    onDone: ({ data }) => setAnswer({ of: asked, preview: data }),
  })
  const shown = answer?.of === asked ? answer.preview : null
  return (
    <section aria-label={t('影响')}>
      <Button busy={trial.isBusy} onClick={() => trial.send(wanted)}>
        {t('看看影响多少人')}
      </Button>
      {shown === null ? (
        <p>{t('按近 30 天在这些服务区骑行过的人计算')}</p>
      ) : (
        <table className="figures-table">
          <thead>
            <tr>
              <th scope="col">{t('{{count}} 位骑行者', { count: shown.riders })}</th>
              <th scope="col">{t('现在')}</th>
              <th scope="col">{t('设置后')}</th>
            </tr>
          </thead>
          <tbody>
            {(
              [
                [t('免押'), 'exempt'],
                [t('已交足'), 'paid'],
                [t('需补交'), 'mustPay'],
              ] as const
            ).map(([label, key]) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{number(shown.now[key])}</td>
                <td>{number(shown.after[key])}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t('共需补交')}</th>
              <td>{money(shown.now.missingCents)}</td>
              <td>{money(shown.after.missingCents)}</td>
            </tr>
          </tbody>
        </table>
      )}
    </section>
  )
}
