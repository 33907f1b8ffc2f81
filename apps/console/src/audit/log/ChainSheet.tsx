import { useEffect, useRef, useState, type ReactNode } from 'react'
import { auditChainFields, auditEndpoints, type AuditChain } from '@saddle/contract/audit/records.ts'
import { call, isApiError, wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Sheet } from '#kit/ui/Sheet.tsx'

type Verdict =
  | { readonly kind: 'running'; readonly checked: number }
  | { readonly kind: 'sound'; readonly checked: number }
  | { readonly kind: 'broken'; readonly by: 'line' | 'anchor'; readonly sequence: number }
  | { readonly kind: 'failed'; readonly words: string }

const chainList = heldListOf<AuditChain>({
  name: 'audit-chains',
  fields: auditChainFields,
  sorts: {
    company: ['asc', ({ company }) => company],
    lines: ['desc', ({ lines }) => lines],
    anchoredAt: ['asc', ({ anchoredAt }) => anchoredAt],
  },
  rowKey: ({ agentId }) => agentId,
})

/** The chains of the companies, and whether each is what it was: proved part by part, on demand. */
export default function ChainSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useEndpoint(auditEndpoints.logChains, {})
  const { verdicts, isBusy, verify } = useVerification()
  const chains = data?.data.list
  const list = useHeldList(chainList, { rows: chains, error, retry: () => void refetch() })
  return (
    <Sheet label={t('日志链')} isWide onClose={onClose}>
      <div className="log-chains">
        <p>
          {t(
            '每条日志都含有前一条的哈希，末端定期另存一份：任何一条被修改、删除、插入，或末尾被截断，核对时都会指出位置。',
          )}
        </p>
        <ListCard
          list={list}
          label={t('日志链')}
          columns={columnsOf({ verdicts, isBusy, onVerify: (chain) => void verify([chain]) })}
          rowName={({ company }) => company}
          extra={
            <Button look="primary" busy={isBusy} onClick={() => void verify(chains ?? [])}>
              {t('核对全部')}
            </Button>
          }
        />
      </div>
    </Sheet>
  )
}

/** Walks through chains one after another; stops when the sheet is closed. */
function useVerification() {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<number, Verdict>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const control = useRef(new AbortController())
  useEffect(() => {
    const own = new AbortController()
    control.current = own
    return () => own.abort()
  }, [])
  const verify = async (chains: readonly AuditChain[]) => {
    const { signal } = control.current
    const say = (agentId: number, verdict: Verdict) => setVerdicts((before) => new Map(before).set(agentId, verdict))
    setBusy(true)
    for (const { agentId } of chains) {
      if (signal.aborted) return
      say(agentId, { kind: 'running', checked: 0 })
      try {
        const verdict = await verifyChain({
          agentId,
          signal,
          onPart: (checked) => say(agentId, { kind: 'running', checked }),
        })
        say(agentId, verdict)
      } catch (failure) {
        if (!signal.aborted)
          say(agentId, { kind: 'failed', words: isApiError(failure) ? wordsOf(failure) : t('请稍后再试') })
      }
    }
    setBusy(false)
  }
  return { verdicts, isBusy, verify }
}

async function verifyChain(options: {
  agentId: number
  signal: AbortSignal
  onPart: (checked: number) => void
}): Promise<Verdict> {
  const { agentId, signal, onPart } = options
  let cursor: string | undefined
  for (;;) {
    const input = { agentId, ...(cursor !== undefined && { cursor }) }
    const { data } = await call(auditEndpoints.verifyLogs, input, { signal, quiet: true })
    if (data.fault !== null) return { kind: 'broken', by: data.fault.kind, sequence: data.fault.sequence }
    if (data.nextCursor === null) return { kind: 'sound', checked: data.checked }
    cursor = data.nextCursor
    onPart(data.checked)
  }
}

function columnsOf(options: {
  verdicts: ReadonlyMap<number, Verdict>
  isBusy: boolean
  onVerify: (chain: AuditChain) => void
}): readonly ColumnSpec<AuditChain>[] {
  const { verdicts, isBusy, onVerify } = options
  return [
    { key: 'company', card: 'head' },
    'lines',
    {
      key: 'lastHash',
      render: ({ lastHash }) => (lastHash === null ? '--' : <code title={lastHash}>{lastHash.slice(0, 12)}…</code>),
    },
    { key: 'anchoredAt', render: ({ anchoredAt }) => <Moment at={anchoredAt} /> },
    {
      key: 'verdict',
      title: t('核对结果'),
      render: (chain) => <Result verdict={verdicts.get(chain.agentId)} lines={chain.lines} />,
    },
    {
      key: 'verify',
      title: t('操作'),
      card: 'head',
      render: (chain) => (
        <Button look="quiet" busy={isBusy} onClick={() => onVerify(chain)}>
          {t('核对')}
        </Button>
      ),
    },
  ]
}

function Result({ verdict, lines }: { readonly verdict: Verdict | undefined; readonly lines: number }) {
  if (verdict === undefined) return t('未核对')
  if (verdict.kind === 'running') return t('已核对 {{checked}} / {{lines}}', { checked: verdict.checked, lines })
  if (verdict.kind === 'failed') return <span data-tone="warn">{verdict.words}</span>
  if (verdict.kind === 'sound')
    return <span data-tone="good">{t('完整，共 {{count}} 行', { count: verdict.checked })}</span>
  return (
    <strong data-tone="bad">
      {verdict.by === 'line'
        ? t('从第 {{sequence}} 行断开：被修改、删除或插入', { sequence: verdict.sequence })
        : t('第 {{sequence}} 行与另存的末端不符：末尾被截断或改写', { sequence: verdict.sequence })}
    </strong>
  )
}
