import {
  fixedActivityEndpoints as calls,
  fixedEventLabels,
  fixedEvents,
  wakeWindowDays,
  type FixedEvent,
  type FixedTerms,
  type fixedTermsSchema,
} from '@saddle/contract/marketing/fixedActivities.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { number } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhoneCard } from '#kit/ui/PhoneFrame.tsx'
import { optionalCount, optionalYuan } from '../activities/commonFields.ts'
import type { ActivityKindUi } from '../activities/kind.ts'
import { timeText } from '../activities/words.ts'
import { RewardNames, rewardsField, rewardsText } from '../rewards/rewardFields.tsx'

function fixedFields(of: FixedTerms | null) {
  return {
    event: choice<FixedEvent>({
      label: t('触发事件'),
      at: 'terms.event',
      initial: of?.event ?? 'rider_new',
      options: fixedEvents.map((value) => ({ value, label: t(fixedEventLabels[value]) })),
      refusals: ['fixed_activity_taken'],
    }),
    minMinutes: optionalCount(t('最短骑行'), {
      at: 'terms.minMinutes',
      unit: t('分钟'),
      initial: of?.minMinutes === 0 ? undefined : of?.minMinutes,
    }),
    minCents: optionalYuan({
      label: t('最低实付'),
      at: 'terms.minCents',
      initialCents: of === null || of.minCents === 0 ? null : of.minCents,
    }),
    idleDays: number({
      label: t('沉默天数'),
      at: 'terms.idleDays',
      unit: t('天'),
      initial: of?.idleDays ?? 30,
      hint: t('连续这么多天没有骑行的用户；超过再加 {{count}} 天的请用营销推送', { count: wakeWindowDays }),
    }),
    againDays: number({
      label: t('再次唤醒间隔'),
      at: 'terms.againDays',
      unit: t('天'),
      initial: of?.againDays ?? 90,
    }),
    rewards: rewardsField({ label: t('奖励'), at: 'terms.rewards', initial: of?.rewards ?? [] }),
    delayHours: number({
      label: t('发放延迟'),
      at: 'terms.delayHours',
      unit: t('小时'),
      initial: of?.delayHours ?? 0,
      hint: t('在此期间订单全额退款，奖励不再发放'),
    }),
  }
}
type FixedFields = ReturnType<typeof fixedFields>

function fixedTermsOf(values: Inputs<FixedFields>) {
  const { event, rewards, delayHours, idleDays, againDays } = values
  const isRide = event === 'first_ride'
  return {
    event,
    rewards,
    delayHours,
    minMinutes: isRide ? (values.minMinutes ?? 0) : 0,
    minCents: isRide || event === 'first_recharge' ? (values.minCents ?? 0) : 0,
    ...(event === 'wake' && { idleDays, againDays }),
  }
}

/** What must happen, in one line. */
function eventText({ event, minMinutes, minCents, idleDays }: FixedTerms): string {
  return [
    t(fixedEventLabels[event]),
    ...(event === 'wake' ? [t('{{count}} 天未骑行', { count: idleDays })] : []),
    ...(minMinutes === 0 ? [] : [t('至少骑行 {{count}} 分钟', { count: minMinutes })]),
    ...(minCents === 0 ? [] : [t('实付满 {{yuan}} 元', { yuan: money(minCents) })]),
  ].join(' · ')
}

const delayText = (hours: number): string => (hours === 0 ? t('立即发放') : t('{{count}} 小时后发放', { count: hours }))

/** Fixed activities, on the pages that all kinds share. */
export const fixedKind: ActivityKindUi<typeof fixedTermsSchema, FixedFields> = {
  title: () => t('固定活动'),
  calls: {
    list: calls.listFixedActivities,
    sums: calls.sumFixedActivities,
    file: calls.exportFixedActivities,
    create: calls.createFixedActivity,
    change: calls.changeFixedActivity,
    switchState: calls.switchFixedActivity,
    versions: calls.fixedActivityVersions,
    preview: calls.previewFixedActivity,
  },
  givesRewards: true,
  listPath: '/marketing/activity-task',
  formPath: '/marketing/activity-task-edit',
  fields: fixedFields,
  adjust: ({ event }) => ({
    minMinutes: { isHidden: event !== 'first_ride' },
    minCents: { isHidden: event !== 'first_ride' && event !== 'first_recharge' },
    idleDays: { isHidden: event !== 'wake' },
    againDays: { isHidden: event !== 'wake' },
  }),
  termsOf: fixedTermsOf,
  words: (terms, names) => `${eventText(terms)} · ${rewardsText(terms.rewards, names)}`,
  facts: (terms, names) => [
    [t('触发事件'), eventText(terms)],
    [t('奖励'), rewardsText(terms.rewards, names)],
    [t('发放时间'), delayText(terms.delayHours)],
    ...(terms.event === 'wake' ? [[t('再次唤醒间隔'), t('{{count}} 天', { count: terms.againDays })] as const] : []),
  ],
  renderPhone: ({ common, terms }) => (
    <PhoneCard
      title={common.name || t('固定活动')}
      lines={[eventText(terms), delayText(terms.delayHours), timeText(common)]}
      aside={<RewardNames rewards={terms.rewards} />}
    />
  ),
  previewTitles: () => [t('期间事件'), t('可获奖励次数')],
}
