import { useRef, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { moneyActCodes, moneyActsAbout, secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import { channelRefundEndpoints } from '@saddle/contract/finance/refunds.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { DepositList, MoneyActList, RefundList, RiderImportList } from '#finance/public.ts'
import { money } from '#kit/format.ts'
import { useChosenInSight } from '#kit/plain/useChosenInSight.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderList } from './RiderList.tsx'

const refreshEveryMs = minuteMs

/** People who may act on riders' money may confirm what others requested. */
const moneyActRule = [...new Set(moneyActsAbout.riders.map((act) => moneyActCodes[act]))].join('||')

const views = ['riders', 'refunds', 'deposits', 'acts', 'imports'] as const
type View = (typeof views)[number]

/** Everybody who rides within the scope, and what of their money waits for somebody. */
export default function RidersPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const view = views.find((one) => one === params.get('view')) ?? 'riders'
  const nav = <Views view={view} onView={(next) => setParams(next === 'riders' ? {} : { view: next })} />
  const title = t('用户信息')
  // Each view is a list of its own.
  if (view === 'refunds') return <RefundList title={title} views={nav} />
  if (view === 'deposits') return <DepositList title={title} views={nav} />
  if (view === 'acts') return <MoneyActList title={title} views={nav} about="riders" />
  if (view === 'imports') return <RiderImportList title={title} views={nav} />
  return <RiderList views={nav} />
}

const failedRefunds = { filter: { states: ['failed' as const] } }
const waitingActs = { filter: { states: ['waiting' as const], about: 'riders' as const } }

function Views({ view, onView }: { view: View; onView: (view: View) => void }) {
  const live = { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs }
  const refunds = useEndpoint(channelRefundEndpoints.sumRefunds, failedRefunds, live)
  const failed = refunds.data?.data
  const { held } = usePermissions()
  const mayConfirm = holdsPermission(held, moneyActRule)
  const mayImport = held.has(moneyActCodes.charge)
  const acts = useEndpoint(secondPersonEndpoints.sumMoneyActs, waitingActs, { ...live, enabled: mayConfirm })
  const waiting = acts.data?.data.rows ?? 0
  const labels: Readonly<Record<View, string>> = {
    riders: t('用户', { context: 'tab' }),
    refunds: t('退款', { context: 'tab' }),
    deposits: t('押金', { context: 'tab' }),
    acts: t('资金确认'),
    imports: t('用户导入'),
  }
  const row = useRef<HTMLElement>(null)
  // Marks that arrive make the row longer.
  useChosenInSight(row, [view, failed?.rows, waiting].join())
  return (
    <nav ref={row} className="rider-views" aria-label={t('用户信息')}>
      {views
        .filter((one) => (one !== 'acts' || mayConfirm) && (one !== 'imports' || mayImport))
        .map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
            {labels[one]}
            {one === 'refunds' && failed !== undefined && failed.rows > 0 && (
              <Mark tone="bad">
                {t('{{count}} 笔未退成，共 {{yuan}} 元', { count: failed.rows, yuan: money(failed.sums?.cents) })}
              </Mark>
            )}
            {one === 'acts' && waiting > 0 && <Mark tone="warn">{t('{{count}} 笔待确认', { count: waiting })}</Mark>}
          </button>
        ))}
    </nav>
  )
}
