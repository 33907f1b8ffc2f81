import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { meterLabels } from '@saddle/contract/finance/meters.ts'
import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import {
  objectionActLabels,
  objectionBillKindLabels,
  objectionEndpoints,
  objectionReasonLabels,
  objectionStateLabels,
  type ObjectionAct,
} from '@saddle/contract/finance/objections.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { quantityText } from '../meters/words.ts'
import { areaText } from '../serviceBills/words.ts'
import { objectionsPath, objectionTones } from './words.ts'
import '#kit/list/listPage.css'
import '../serviceBills/serviceBills.css'
import './objections.css'

const DecideDialog = lazy(() => loadChunk(() => import('./DecideDialog.tsx')))

/** One objection: what is disputed and why, what was done about it, and what may be done now. */
export default function ObjectionInfoPage(): ReactNode {
  const [search] = useSearchParams()
  const id = Number(search.get('id'))
  const isKnown = Number.isSafeInteger(id) && id > 0
  const { data, error, refetch } = useEndpoint(objectionEndpoints.objectionDetails, { id }, { enabled: isKnown })
  return (
    <div className="objection-page">
      <header className="list-head">
        <h1>{t('异议账单详情')}</h1>
        {isKnown && <ButtonLink to={objectionsPath}>{t('返回异议账单')}</ButtonLink>}
      </header>
      {!isKnown ? (
        <Empty
          title={t('请从异议账单中选择一项')}
          action={
            <ButtonLink look="primary" to={objectionsPath}>
              {t('返回异议账单')}
            </ButtonLink>
          }
        />
      ) : data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Whole {...data.data} />
      )}
    </div>
  )
}

type Details = AnswerOf<typeof objectionEndpoints.objectionDetails>['data']

function Whole({ objection, lines, splitLines, transitCents, heldCents, events, photos, acts }: Details) {
  const [act, setAct] = useState<ObjectionAct | null>(null)
  const yuan = (cents: number): string => t('{{yuan}} 元', { yuan: money(cents) })
  return (
    <>
      <p className="service-links">
        <strong>{objection.number}</strong>
        <Mark tone={objectionTones[objection.state]}>{t(objectionStateLabels[objection.state])}</Mark>
      </p>
      <Facts
        facts={[
          [t('加盟商'), objection.company],
          [t('账单类型'), t(objectionBillKindLabels[objection.kind])],
          [t('账期'), objection.period],
          [t('异议原因'), t(objectionReasonLabels[objection.reason])],
          [t('说明'), objection.text],
          [t('争议金额'), yuan(objection.disputedCents)],
          ...(objection.kind === 'split' && objection.decidedAt === null
            ? ([
                [t('暂不结算'), yuan(transitCents)],
                [t('冻结中'), yuan(heldCents)],
              ] as const)
            : []),
          [t('采纳金额'), yuan(objection.acceptedCents)],
          [t('提交'), `${objection.submittedBy} · ${dateTime(objection.submittedAt)}`],
          ...(objection.decidedAt === null
            ? [[t('处理期限'), dateTime(objection.deadlineAt)] as const]
            : [[t('处理'), `${objection.decidedBy ?? '--'} · ${dateTime(objection.decidedAt)}`] as const]),
          ...(objection.note === '' ? [] : [[t('处理说明'), objection.note] as const]),
        ]}
      />
      {photos.length > 0 && (
        <PhotoStrip
          label={t('凭证图片')}
          of={['objection', objection.id]}
          count={photos.length}
          load={async () => photos}
        />
      )}
      {objection.kind === 'split' ? <SplitLines lines={splitLines} /> : <ServiceLines lines={lines} />}
      <ol className="objection-events" aria-label={t('处理经过')}>
        {events.map((event) => (
          <li key={`${event.act} ${event.at}`}>
            <b>{t(objectionActLabels[event.act])}</b> {event.by} · {dateTime(event.at)}
            {event.note !== '' && <p>{event.note}</p>}
          </li>
        ))}
      </ol>
      {acts.length > 0 && (
        <p className="service-links">
          {acts.map((one) => (
            <Button
              key={one}
              look={one === 'accept' || one === 'take' ? 'primary' : 'outline'}
              onClick={() => setAct(one)}
            >
              {t(objectionActLabels[one])}
            </Button>
          ))}
        </p>
      )}
      <Suspense fallback={null}>
        {act !== null && <DecideDialog objection={objection} act={act} onClose={() => setAct(null)} />}
      </Suspense>
    </>
  )
}

interface DisputedLine {
  readonly key: number
  /** Cells before those of what is disputed and accepted. */
  readonly cells: readonly ReactNode[]
  readonly cents: number
  readonly acceptedCents: number
}

/** What is disputed, line by line; the last of its own columns is a sum. */
function DisputedLines({
  heads,
  lines,
}: {
  readonly heads: readonly string[]
  readonly lines: readonly DisputedLine[]
}) {
  const all = [...heads, t('争议金额'), t('采纳金额')]
  const isNumeric = (place: number): boolean => place >= heads.length - 1
  return (
    <table className="service-days" aria-label={t('争议明细')}>
      <thead>
        <tr>
          {all.map((head, place) => (
            <th key={head} data-numeric={isNumeric(place)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ key, cells, cents, acceptedCents }) => (
          <tr key={key}>
            {[...cells, money(cents), money(acceptedCents)].map((cell, place) => (
              <td key={all[place]} data-numeric={isNumeric(place)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const twoLines = (text: ReactNode, below: ReactNode): ReactNode => (
  <>
    {text}
    <br />
    <small>{below}</small>
  </>
)

const ServiceLines = ({ lines }: Pick<Details, 'lines'>): ReactNode => (
  <DisputedLines
    heads={[t('计量项'), t('金额（元）')]}
    lines={lines.map((line) => ({
      ...line,
      key: line.lineId,
      cells: [
        twoLines(`${t(meterLabels[line.meter])} · ${areaText(line)}`, quantityText(line.meter, line.quantity)),
        money(line.amountCents),
      ],
    }))}
  />
)

const SplitLines = ({ lines }: { readonly lines: Details['splitLines'] }): ReactNode => (
  <DisputedLines
    heads={[t('类型'), t('收入（元）')]}
    lines={lines.map((line) => ({
      ...line,
      key: line.entryNumber,
      cells: [
        twoLines(
          <>
            {t(entryKinds[line.kind])} <OrderLink orderId={line.orderId} number={String(line.orderId)} />
          </>,
          `${dateTime(line.at)} ${line.area ?? ''}`,
        ),
        twoLines(money(line.paidCents), t('加盟商所得 {{yuan}}', { yuan: money(line.ownerCents) })),
      ],
    }))}
  />
)
