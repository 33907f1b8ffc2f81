import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  campaignChannelLabels,
  campaignEndpoints,
  campaignHaltLabels,
  campaignOutcomeLabels,
  campaignRiderFields,
  campaignRiderList,
  campaignStateLabels,
  canAct,
  canChange,
  type Campaign,
  type CampaignOutcome,
  type CampaignRider,
} from '@saddle/contract/marketing/campaigns.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { phone } from '#kit/form/textFields.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { couponTo, segmentTo } from '../activities/address.ts'
import { EffectView } from '../effects/EffectView.tsx'
import { Versions } from './Versions.tsx'
import { clock, progressText, staleCampaigns, toneOf } from './words.ts'

/** One campaign: what it sends, how far it has come, what became of each rider, and what it brought. */
export function CampaignPanel({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { id, state } = campaign
  const [view, setView] = useState<'terms' | 'riders' | 'effect' | 'versions'>('terms')
  const [outcome, setOutcome] = useState<CampaignOutcome | null>(null)
  const openRiders = (of: CampaignOutcome | null) => {
    setOutcome(of)
    setView('riders')
  }
  const tab = (name: typeof view, label: string) => (
    <Button aria-pressed={view === name} onClick={() => (name === 'riders' ? openRiders(null) : setView(name))}>
      {label}
    </Button>
  )
  return (
    <DetailPanel
      label={t('推送详情')}
      title={
        <>
          <strong>{campaign.name}</strong> <Mark tone={toneOf[state]}>{t(campaignStateLabels[state])}</Mark>
        </>
      }
      foot={<Acts campaign={campaign} />}
    >
      <p className="form-choices">
        {tab('terms', t('内容与进度'))}
        {tab('riders', t('发送结果'))}
        {tab('effect', t('效果'))}
        {tab('versions', t('历次内容'))}
      </p>
      {view === 'terms' && <Facts facts={factsOf(campaign, openRiders)} />}
      {view === 'riders' && <Reached key={`${id} ${outcome}`} campaignId={id} outcome={outcome} />}
      {view === 'versions' && <Versions id={id} />}
      {view === 'effect' && (
        <EffectView of="campaign" id={id} onOpen={(arm) => openRiders(arm === 'treated' ? 'sent' : 'held_out')} />
      )}
    </DetailPanel>
  )
}

function factsOf(campaign: Campaign, onOpen: (outcome: CampaignOutcome) => void): (readonly [string, ReactNode])[] {
  const figure = (outcome: CampaignOutcome, count: number) =>
    [
      t(campaignOutcomeLabels[outcome]),
      <Button key={outcome} look="link" onClick={() => onOpen(outcome)}>
        {number(count)}
      </Button>,
    ] as const
  const { terms, halt, audience, startsAt, startedAt, endedAt } = campaign
  const { quiet, budgetSends } = terms
  const isMessage = campaign.channel === 'message'
  return [
    [
      t('人群'),
      <Link key="segment" to={segmentTo(terms.segmentId)}>
        {campaign.segmentName}
      </Link>,
    ],
    [
      t('方式'),
      terms.templateId === null || campaign.templateName === null ? (
        t(campaignChannelLabels[campaign.channel])
      ) : (
        <Link key="coupon" to={couponTo(terms.templateId)}>
          {campaign.templateName}
        </Link>
      ),
    ],
    ...(isMessage ? [[t('内容'), `${terms.title} · ${terms.body}`] as const] : []),
    [
      t('开始时间'),
      startedAt === null ? (startsAt === null ? t('启动后立即') : dateTime(startsAt)) : dateTime(startedAt),
    ],
    ...(terms.endsAt === null ? [] : [[t('截止时间'), dateTime(terms.endsAt)] as const]),
    ...(endedAt === null ? [] : [[t('结束时间'), dateTime(endedAt)] as const]),
    ...(halt === null ? [] : [[t('停止原因'), t(campaignHaltLabels[halt])] as const]),
    [t('免打扰'), quiet === null ? t('不限', { context: 'limit' }) : `${clock(quiet.from)} – ${clock(quiet.to)}`],
    [t('对照比例'), `${terms.holdoutPercent}%`],
    [t('发送上限'), budgetSends === null ? t('不限', { context: 'limit' }) : number(budgetSends)],
    [
      t('进度'),
      audience === null ? t('未开始', { context: 'progress' }) : `${progressText(campaign)} · ${number(audience)}`,
    ],
    figure('sent', campaign.sent),
    figure('held_out', campaign.heldOut),
    figure('control', campaign.control),
    figure('weekly', campaign.weekly),
    figure('capped', campaign.capped),
    [t('加盟商'), campaign.company],
    [t('创建人'), campaign.createdBy],
  ]
}

const reached = listOf({
  list: campaignRiderList,
  call: campaignEndpoints.listCampaignRiders,
  file: campaignEndpoints.exportCampaignRiders,
  fields: campaignRiderFields,
  rowKey: ({ riderId }) => riderId,
})

interface ReachedProps {
  readonly campaignId: number
  /** Of these alone; null: of all. */
  readonly outcome: CampaignOutcome | null
}

function Reached({ campaignId, outcome }: ReachedProps) {
  const fixed = { campaignId, ...(outcome !== null && { outcomes: [outcome] }) }
  const list = useList(reached, { fixed, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('发送结果')}
      filters={outcome === null ? [many('outcomes', t('结果'), campaignOutcomeLabels)] : []}
      columns={reachedColumns}
      rowName={({ riderId }) => String(riderId)}
      empty={t('还没有发送')}
    />
  )
}

const reachedColumns = (): readonly ColumnSpec<CampaignRider>[] => [
  {
    key: 'phone',
    card: 'head',
    render: ({ riderId, phone: shown }) => <RiderLink riderId={riderId}>{shown}</RiderLink>,
  },
  'outcome',
  'at',
]

/** What can be done with a campaign. Pausing and resuming can be taken back; starting and cancelling ask first. */
function Acts({ campaign }: { readonly campaign: Campaign }) {
  const { id, name, state } = campaign
  const [asked, setAsked] = useState<'start' | 'cancel' | 'test' | null>(null)
  const close = () => setAsked(null)
  const turn = useAction(campaignEndpoints.actOnCampaign, {
    stale: staleCampaigns,
    done: (_, { act }) => (act === 'pause' ? t('已暂停推送') : t('已继续推送')),
    undo: (_, { act }) => ({ id, act: act === 'pause' ? ('resume' as const) : ('pause' as const) }),
  })
  return (
    <p className="form-choices">
      <ButtonLink to={`/marketing/campaign-edit?from=${id}`}>{t('复制')}</ButtonLink>
      {canChange(campaign) && <ButtonLink to={`/marketing/campaign-edit?id=${id}`}>{t('修改')}</ButtonLink>}
      {canAct(state, 'cancel') && (
        <>
          <Button onClick={() => setAsked('test')}>{t('试发')}</Button>
          <Button onClick={() => setAsked('cancel')}>{t('取消推送')}</Button>
        </>
      )}
      {canAct(state, 'pause') && (
        <Button busy={turn.isBusy} onClick={() => turn.send({ id, act: 'pause' })}>
          {t('暂停')}
        </Button>
      )}
      {canAct(state, 'resume') && (
        <Button look="primary" busy={turn.isBusy} onClick={() => turn.send({ id, act: 'resume' })}>
          {t('继续')}
        </Button>
      )}
      {canAct(state, 'start') && (
        <Button look="primary" onClick={() => setAsked('start')}>
          {t('启动')}
        </Button>
      )}
      {asked === 'test' && <TestDialog id={id} name={name} onClose={close} />}
      {(asked === 'start' || asked === 'cancel') && <ActDialog campaign={campaign} act={asked} onClose={close} />}
    </p>
  )
}

function TestDialog({
  id,
  name,
  onClose,
}: {
  readonly id: number
  readonly name: string
  readonly onClose: () => void
}) {
  return (
    <FormDialog
      title={t('试发“{{name}}”', { name })}
      call={campaignEndpoints.testCampaign}
      about={id}
      fields={{ phone: phone() }}
      input={(values) => ({ id, ...values })}
      submit={t('试发')}
      done={() => t('已试发，不计入结果')}
      onClose={onClose}
    />
  )
}

interface ActProps {
  readonly campaign: Campaign
  readonly act: 'start' | 'cancel'
  readonly onClose: () => void
}

function ActDialog({ campaign, act, onClose }: ActProps) {
  const { id, name, segmentName, startsAt } = campaign
  const isStart = act === 'start'
  return (
    <FormDialog
      title={isStart ? t('启动“{{name}}”', { name }) : t('取消“{{name}}”', { name })}
      call={campaignEndpoints.actOnCampaign}
      about={`${act} ${id}`}
      fields={{}}
      input={() => ({ id, act })}
      submit={isStart ? t('启动') : t('取消推送')}
      stale={staleCampaigns}
      done={() => (isStart ? t('已启动推送') : t('已取消推送'))}
      onClose={onClose}
    >
      <p>
        {isStart
          ? t('将发送给“{{segment}}”中的用户，发出后不能收回。{{when}}', {
              segment: segmentName,
              when: startsAt === null ? t('启动后立即开始') : t('{{at}} 开始', { at: dateTime(startsAt) }),
            })
          : t('尚未发送的用户不再发送，已发出的不收回')}
      </p>
    </FormDialog>
  )
}
