import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import { holdoutPercentMax } from '@saddle/contract/marketing/holdout.ts'
import { bearerLabels, bearers } from '@saddle/contract/riding/benefits.ts'
import { serverNow } from '#kit/clock.ts'
import { choice, many, type Option } from '#kit/form/choiceFields.tsx'
import type { Field, Inputs } from '#kit/form/field.ts'
import { moment } from '#kit/form/otherFields.tsx'
import { number, text, yuan } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

const minuteOf = (ms: number): string => dateTime(ms).slice(0, 16)

/** An amount that may be left out: then there is no limit. */
export function optionalYuan(
  options: Omit<Parameters<typeof yuan>[0], 'initialCents'> & { readonly initialCents?: number | null },
): Field<string, number | undefined> {
  const { initialCents, ...rest } = options
  const field = yuan({ ...rest, ...(typeof initialCents === 'number' && { initialCents }) })
  return {
    ...field,
    note: rest.note ?? t('选填'),
    read: (value, limits) => (value.trim() === '' ? { value: undefined } : field.read(value, limits)),
  }
}

/** A whole number that may be left out. */
export const optionalCount = (
  label: string,
  options: { at: string; unit: string; initial: number | null | undefined; hint?: string },
) =>
  number({
    label,
    isOptional: true,
    at: options.at,
    unit: options.unit,
    ...(typeof options.initial === 'number' && { initial: options.initial }),
    ...(options.hint !== undefined && { hint: options.hint }),
  })

/** The fields that every activity has; they begin with those of another one. */
export function commonFields(of: ActivityCommon | null, areas: readonly Option<number>[]) {
  return {
    name: text({ label: t('活动名称'), at: 'common.name', initial: of?.name ?? '', refusals: ['name_taken'] }),
    areaIds: many<number>({
      label: t('适用服务区'),
      note: t('不选则全部'),
      at: 'common.areaIds',
      options: areas,
      initial: of?.areaIds ?? [],
    }),
    startsAt: moment({ label: t('开始时间'), at: 'common.startsAt', initial: minuteOf(of?.startsAt ?? serverNow()) }),
    endsAt: moment({
      label: t('结束时间'),
      note: t('不填则长期'),
      at: 'common.endsAt',
      isOptional: true,
      ...(typeof of?.endsAt === 'number' && { initial: minuteOf(of.endsAt) }),
    }),
    budgetCents: optionalYuan({
      label: t('预算金额'),
      at: 'common.budgetCents',
      initialCents: of?.budgetCents ?? null,
    }),
    budgetUses: optionalCount(t('预算次数'), { at: 'common.budgetUses', unit: t('次'), initial: of?.budgetUses }),
    riderUses: optionalCount(t('每人次数'), { at: 'common.riderUses', unit: t('次'), initial: of?.riderUses }),
    riderDayUses: optionalCount(t('每人每天次数'), {
      at: 'common.riderDayUses',
      unit: t('次'),
      initial: of?.riderDayUses,
    }),
    deviceUses: optionalCount(t('每台手机次数'), {
      at: 'common.deviceUses',
      unit: t('次'),
      initial: of?.deviceUses,
      hint: t('同一台手机上登录过的账号合计'),
    }),
    bearer: choice({
      label: t('承担方'),
      at: 'common.bearer',
      initial: of?.bearer ?? 'company',
      options: bearers.map((value) => ({ value, label: t(bearerLabels[value]) })),
      refusals: ['activity_platform_bears'],
    }),
    partner: text({ label: t('合作方'), at: 'common.partner', initial: of?.partner ?? '', isOptional: true }),
    holdoutPercent: number({
      label: t('对照组比例'),
      at: 'common.holdoutPercent',
      unit: '%',
      initial: of?.holdoutPercent ?? 0,
      hint: t('这部分用户不参加，用来衡量活动效果，最多 {{max}}%', { max: holdoutPercentMax }),
    }),
  }
}

export type CommonFields = ReturnType<typeof commonFields>

/** The common part as the calls take it. */
export function commonOf(values: Inputs<CommonFields>) {
  const { name, areaIds, bearer, holdoutPercent } = values
  return {
    name,
    areaIds,
    startsAt: values.startsAt ?? 0,
    endsAt: values.endsAt ?? null,
    budgetCents: values.budgetCents ?? null,
    budgetUses: values.budgetUses ?? null,
    riderUses: values.riderUses ?? null,
    riderDayUses: values.riderDayUses ?? null,
    deviceUses: values.deviceUses ?? null,
    bearer,
    partner: bearer === 'partner' ? (values.partner ?? '') : '',
    holdoutPercent,
  }
}
