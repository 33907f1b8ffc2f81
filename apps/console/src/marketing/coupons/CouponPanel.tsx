import { useState, type ReactNode } from 'react'
import { couponBudgetState, couponBudgetStateLabels } from '@saddle/contract/marketing/couponBudget.ts'
import type { CouponBatchFilter } from '@saddle/contract/marketing/couponBatches.ts'
import {
  couponEndpoints,
  couponStateLabels,
  couponStates,
  type CouponState,
  type CouponTemplate,
} from '@saddle/contract/marketing/coupons.ts'
import { useAction } from '#kit/action/useAction.ts'
import { areasText, useAreaNames } from '#kit/areaNames.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { conditionLines } from '../benefits/words.ts'
import { Batches } from './Batches.tsx'
import { CouponEffect } from './CouponEffect.tsx'
import { CouponList } from './CouponList.tsx'
import { CodesDialog, IssueDialog } from './dialogs.tsx'
import { effectText, staleCoupons, validText } from './words.ts'

/** One kind of coupon: its terms, what became of its coupons, and what can be done with it. */
export function CouponPanel({ template }: { template: CouponTemplate }): ReactNode {
  const { id, terms } = template
  const budget = couponBudgetState(template)
  const names = useAreaNames()
  const [view, setView] = useState<CouponState | 'issued' | 'batches' | 'effect' | 'versions'>('batches')
  const [issuer, setIssuer] = useState<CouponBatchFilter | null>(null)
  const openBatches = (of: CouponBatchFilter | null) => {
    setIssuer(of)
    setView('batches')
  }
  const figure = (name: CouponState | 'issued', label: string, count: number) => (
    <Button key={name} aria-pressed={view === name} onClick={() => setView(name)}>
      {label} {number(count)}
    </Button>
  )
  return (
    <DetailPanel label={t('优惠券详情')} title={<strong>{template.name}</strong>} foot={<Acts template={template} />}>
      <Facts
        facts={[
          [t('优惠内容'), effectText(terms)],
          [t('有效期'), validText(terms)],
          [t('已抵扣'), t('{{yuan}} 元', { yuan: money(template.usedCents) })],
          [
            t('预算金额'),
            template.budgetCents === null
              ? t('不限', { context: 'limit' })
              : t('{{yuan}} 元', { yuan: money(template.budgetCents) }),
          ],
          [
            t('预算次数'),
            template.budgetUses === null
              ? t('不限', { context: 'limit' })
              : `${number(template.used)} / ${number(template.budgetUses)}`,
          ],
          ...(budget === null ? [] : [[t('预算'), t(couponBudgetStateLabels[budget])] as const]),
          [t('适用服务区'), areasText(terms.conditions.areaIds, names)],
          [t('适用条件'), conditionLines(terms).join(t('；')) || t('不限')],
          [t('每人持有上限'), template.riderMax === null ? t('不限', { context: 'limit' }) : number(template.riderMax)],
          [
            t('每台手机领取上限'),
            template.deviceMax === null ? t('不限', { context: 'limit' }) : number(template.deviceMax),
          ],
          [t('加盟商'), template.company],
        ]}
      />
      <p className="form-choices">
        {figure('issued', t('已发放'), template.issued)}
        {couponStates.map((state) => figure(state, t(couponStateLabels[state]), template[state]))}
        <Button aria-pressed={view === 'batches'} onClick={() => openBatches(null)}>
          {t('批次')}
        </Button>
        <Button aria-pressed={view === 'effect'} onClick={() => setView('effect')}>
          {t('效果')}
        </Button>
        <Button aria-pressed={view === 'versions'} onClick={() => setView('versions')}>
          {t('历次规则')}
        </Button>
      </p>
      {view === 'batches' ? (
        <>
          {issuer !== null && (
            <p className="form-choices">
              <Button onClick={() => setView('effect')}>{t('返回效果')}</Button>
              <span>{t('只显示这一来源的批次')}</span>
            </p>
          )}
          <Batches key={JSON.stringify(issuer)} fixed={issuer ?? { templateId: id }} />
        </>
      ) : view === 'effect' ? (
        <CouponEffect
          template={template}
          onOpen={(list) => (typeof list === 'string' ? setView(list) : openBatches(list))}
        />
      ) : view === 'versions' ? (
        <Versions id={id} />
      ) : (
        <CouponList key={view} fixed={{ templateId: id, states: [...(view === 'issued' ? couponStates : [view])] }} />
      )}
    </DetailPanel>
  )
}

function Versions({ id }: { id: number }) {
  const { data } = useEndpoint(couponEndpoints.couponTemplateVersions, { id })
  return (
    <Facts
      facts={(data?.data.list ?? []).map(({ version, terms, madeAt, madeBy }) => [
        t('版本 {{version}}', { version }),
        `${effectText(terms)} · ${validText(terms)} · ${madeBy} · ${dateTime(madeAt)}`,
      ])}
    />
  )
}

function Acts({ template }: { template: CouponTemplate }) {
  const { id, state } = template
  const [open, setOpen] = useState<'issue' | 'codes' | null>(null)
  const close = () => setOpen(null)
  const turn = useAction(couponEndpoints.switchCouponTemplate, {
    stale: staleCoupons,
    done: ({ data }) => (data.state === 'on' ? t('已恢复发放') : t('已暂停发放')),
    undo: (_, input) => ({ id, state: input.state === 'on' ? ('off' as const) : ('on' as const) }),
  })
  return (
    <p className="form-choices">
      <Button busy={turn.isBusy} onClick={() => turn.send({ id, state: state === 'on' ? 'off' : 'on' })}>
        {state === 'on' ? t('暂停发放') : t('恢复发放')}
      </Button>
      <ButtonLink to={`/marketing/coupon-add?from=${id}`}>{t('复制')}</ButtonLink>
      <ButtonLink to={`/marketing/coupon-add?id=${id}`}>{t('修改')}</ButtonLink>
      {state === 'on' && (
        <>
          <Button onClick={() => setOpen('codes')}>{t('生成兑换码')}</Button>
          <Button look="primary" onClick={() => setOpen('issue')}>
            {t('发放')}
          </Button>
        </>
      )}
      {open === 'issue' && <IssueDialog template={template} onClose={close} />}
      {open === 'codes' && <CodesDialog template={template} onClose={close} />}
    </p>
  )
}
