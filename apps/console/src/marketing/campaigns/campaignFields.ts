import { campaignChannelLabels, campaignChannels, type CampaignTerms } from '@saddle/contract/marketing/campaigns.ts'
import { businessDayOf, businessDayStart, minuteMs } from '@saddle/contract/time.ts'
import { choice, select, type Option } from '#kit/form/choiceFields.tsx'
import type { Inputs, Values } from '#kit/form/field.ts'
import { moment } from '#kit/form/otherFields.tsx'
import { longText, number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { clock } from './words.ts'

const halfHours = Array.from({ length: 48 }, (_, index) => ({ value: index * 30, label: clock(index * 30) }))
const momentOf = (at: number): string =>
  `${businessDayOf(at)} ${clock(Math.floor((at - businessDayStart(businessDayOf(at))) / minuteMs))}`

export interface CampaignOffers {
  readonly segments: readonly Option<number>[]
  readonly templates: readonly Option<number>[]
  /** The segment that is chosen at first. */
  readonly segmentId: number | null
}

/** The fields of a campaign; they begin with those of another one. */
export function campaignFields(of: CampaignTerms | null, { segments, templates, segmentId }: CampaignOffers) {
  const quiet = of === null ? { from: 1_320, to: 480 } : of.quiet
  return {
    name: text({ label: t('名称'), initial: of?.name ?? '', refusals: ['name_taken'], at: 'terms.name' }),
    segmentId: select<number>({
      label: t('人群'),
      options: segments,
      initial: of?.segmentId ?? segmentId,
      refusals: ['segment_off'],
      at: 'terms.segmentId',
    }),
    channel: choice({
      label: t('方式'),
      initial: of?.channel ?? 'coupon',
      options: campaignChannels.map((value) => ({ value, label: t(campaignChannelLabels[value]) })),
      at: 'terms.channel',
    }),
    templateId: select<number>({
      label: t('优惠券'),
      options: templates,
      initial: of?.templateId ?? null,
      // Asked for where the field is shown.
      isOptional: true,
      note: '',
      at: 'form.templateId',
    }),
    title: text({ label: t('标题'), initial: of?.title ?? '', isOptional: true, note: '', at: 'terms.title' }),
    body: longText({ label: t('内容'), initial: of?.body ?? '', isOptional: true, note: '', at: 'terms.body' }),
    startsAt: moment({
      label: t('开始时间'),
      note: t('不填则启动后立即发送'),
      isOptional: true,
      at: 'form.startsAt',
      ...(typeof of?.startsAt === 'number' && { initial: momentOf(of.startsAt) }),
    }),
    endsAt: moment({
      label: t('截止时间'),
      note: t('选填'),
      isOptional: true,
      at: 'form.endsAt',
      ...(typeof of?.endsAt === 'number' && { initial: momentOf(of.endsAt) }),
    }),
    quietFrom: select<number>({
      label: t('免打扰开始'),
      options: halfHours,
      initial: quiet?.from ?? null,
      isOptional: true,
      at: 'form.quietFrom',
    }),
    quietTo: select<number>({
      label: t('免打扰结束'),
      options: halfHours,
      initial: quiet?.to ?? null,
      isOptional: true,
      at: 'form.quietTo',
    }),
    holdoutPercent: number({
      label: t('对照比例'),
      unit: '%',
      hint: t('随机留出的用户不发送，用来衡量效果'),
      initial: of?.holdoutPercent ?? 10,
      at: 'terms.holdoutPercent',
    }),
    budgetSends: number({
      label: t('发送上限'),
      unit: t('人'),
      hint: t('按注册先后发送，达到后停止'),
      isOptional: true,
      at: 'form.budgetSends',
      ...(typeof of?.budgetSends === 'number' && { initial: of.budgetSends }),
    }),
  }
}

export type CampaignForm = ReturnType<typeof campaignFields>

export const hiddenFields = ({ channel }: Pick<Values<CampaignForm>, 'channel'>) => ({
  templateId: { isHidden: channel !== 'coupon' },
  title: { isHidden: channel !== 'message' },
  body: { isHidden: channel !== 'message' },
})

/** The terms as the call takes them. */
export function termsOf(values: Inputs<CampaignForm>): CampaignTerms {
  const { channel, templateId, title = '', body = '', startsAt, endsAt, quietFrom, quietTo, budgetSends } = values
  const isMessage = channel === 'message'
  return {
    name: values.name,
    segmentId: values.segmentId,
    channel,
    templateId: isMessage ? null : (templateId ?? null),
    title: isMessage ? title : '',
    body: isMessage ? body : '',
    startsAt: startsAt ?? null,
    endsAt: endsAt ?? null,
    quiet: quietFrom === undefined || quietTo === undefined ? null : { from: quietFrom, to: quietTo },
    holdoutPercent: values.holdoutPercent,
    budgetSends: budgetSends ?? null,
  }
}
