import Drawer from 'antd/es/drawer'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { auditEndpoints, type AuditChain } from '@saddle/contract/audit/records.ts'
import { call, isApiError, wordsOf } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'

type Verdict =
  | { readonly kind: 'running'; readonly checked: number }
  | { readonly kind: 'sound'; readonly checked: number }
  | { readonly kind: 'broken'; readonly by: 'line' | 'anchor'; readonly sequence: number }
  | { readonly kind: 'failed'; readonly words: string }

const widthPx = 860

/** The chains of the companies, and whether each is what it was: proved part by part, on demand. */
export default function ChainDrawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useEndpoint(auditEndpoints.logChains, {})
  const { verdicts, busy, verify } = useVerification()
  const list = data?.data.list
  return (
    <Drawer open size={Math.min(widthPx, globalThis.innerWidth)} title={t('日志链')} onClose={onClose}>
      <div className="log-chains">
        <p>
          {t(
            '每条日志都含有前一条的哈希，末端定期另存一份：任何一条被修改、删除、插入，或末尾被截断，核对时都会指出位置。',
          )}
        </p>
        <div>
          <Button look="primary" busy={busy} onClick={() => void verify(list ?? [])}>
            {t('核对全部')}
          </Button>
        </div>
        <DataTable<AuditChain>
          label={t('日志链')}
          columns={columnsOf({ verdicts, busy, onVerify: (chain) => void verify([chain]) })}
          rows={list}
          rowKey={(chain) => chain.agentId}
          error={error}
          onRetry={() => void refetch()}
          cardHead={headOf}
        />
      </div>
    </Drawer>
  )
}

const headOf = (chain: AuditChain): ReactNode => <strong>{chain.company}</strong>

/** Walks through chains one after another; stops when the drawer is closed. */
function useVerification() {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<number, Verdict>>(new Map())
  const [busy, setBusy] = useState(false)
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
  return { verdicts, busy, verify }
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
  busy: boolean
  onVerify: (chain: AuditChain) => void
}): readonly Column<AuditChain>[] {
  const { verdicts, busy, onVerify } = options
  return [
    { key: 'company', title: t('公司'), inHead: true, render: (chain) => chain.company },
    { key: 'lines', title: t('行数'), numeric: true, render: (chain) => chain.lines.toLocaleString() },
    {
      key: 'hash',
      title: t('末行哈希'),
      render: ({ lastHash }) => (lastHash === null ? '--' : <code title={lastHash}>{lastHash.slice(0, 12)}…</code>),
    },
    { key: 'anchor', title: t('末端另存于'), render: (chain) => dateTime(chain.anchoredAt) },
    {
      key: 'verdict',
      title: t('核对结果'),
      render: (chain) => <Result verdict={verdicts.get(chain.agentId)} lines={chain.lines} />,
    },
    {
      key: 'verify',
      title: t('操作'),
      render: (chain) => (
        <Button look="quiet" busy={busy} onClick={() => onVerify(chain)}>
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
