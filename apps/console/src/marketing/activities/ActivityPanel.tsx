import { useState, type ReactNode } from 'react'
import { activityShownStateLabels, type Activity } from '@saddle/contract/marketing/activities.ts'
import type { EffectArm } from '@saddle/contract/marketing/effects.ts'
import { useAreaNames } from '#kit/areaNames.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Uses } from '../activityUses/Uses.tsx'
import { EffectRiders } from '../effects/EffectRiders.tsx'
import { EffectView } from '../effects/EffectView.tsx'
import { useRewardChoices } from '../rewards/rewardFields.tsx'
import { Acts } from './Acts.tsx'
import { commonOfRow } from './ActivityFormPage.tsx'
import type { AnyKindUi } from './kind.ts'
import { Versions } from './Versions.tsx'
import { commonFacts, toneOf } from './words.ts'
import './activities.css'

interface Props {
  readonly of: AnyKindUi
  readonly activity: Activity<object>
}

/** One activity: its terms and limits, what is used of them, how it came to be, and what can be done with it. */
export function ActivityPanel({ of, activity }: Props): ReactNode {
  const [view, setView] = useState<'terms' | 'effect' | 'uses' | 'versions'>('terms')
  const names = useAreaNames()
  const rewards = useRewardChoices(of.givesRewards === true)
  const tab = (name: typeof view, label: string) => (
    <Button aria-pressed={view === name} onClick={() => setView(name)}>
      {label}
    </Button>
  )
  const { shown } = activity
  return (
    <DetailPanel
      label={t('活动详情')}
      title={
        <>
          <strong>{activity.name}</strong> <Mark tone={toneOf[shown]}>{t(activityShownStateLabels[shown])}</Mark>
        </>
      }
      foot={<Acts of={of} activity={activity} />}
    >
      <p className="form-choices">
        {tab('terms', t('规则'))}
        {tab('effect', t('效果'))}
        {tab('uses', t('使用'))}
        {tab('versions', t('历次规则'))}
      </p>
      {view === 'terms' && (
        <>
          <Facts facts={[...of.facts(activity.terms, rewards), ...commonFacts(commonOfRow(activity), names)]} />
          {of.renderMore?.(activity)}
        </>
      )}
      {view === 'effect' && <Effect activity={activity} onOpenUses={() => setView('uses')} />}
      {view === 'uses' && <Uses activityId={activity.id} />}
      {view === 'versions' && <Versions of={of} id={activity.id} names={names} />}
    </DetailPanel>
  )
}

interface EffectProps {
  readonly activity: Activity<object>
  readonly onOpenUses: () => void
}

function Effect({ activity, onOpenUses }: EffectProps) {
  const [arm, setArm] = useState<EffectArm | null>(null)
  const { usedCents, budgetCents, uses, budgetUses, riders, warnedAt, dryAt } = activity
  const opens = (text: string) => (
    <Button look="link" onClick={onOpenUses}>
      {text}
    </Button>
  )
  const of = (used: string, budget: string | null) => opens(budget === null ? used : `${used} / ${budget}`)
  if (arm !== null) return <EffectRiders activityId={activity.id} arm={arm} onBack={() => setArm(null)} />
  return (
    <>
      <Facts
        facts={[
          [t('已用金额'), of(money(usedCents), budgetCents === null ? null : money(budgetCents))],
          [t('已使用次数'), of(number(uses), budgetUses === null ? null : number(budgetUses))],
          [t('参与人数'), opens(number(riders))],
          [t('平均每次'), uses === 0 ? '--' : money(usedCents / uses)],
          ...(warnedAt === null ? [] : [[t('预算用到八成'), dateTime(warnedAt)] as const]),
          ...(dryAt === null ? [] : [[t('预算用完'), dateTime(dryAt)] as const]),
        ]}
      />
      <EffectView of="activity" id={activity.id} onOpen={setArm} />
    </>
  )
}
