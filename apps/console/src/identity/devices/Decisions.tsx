import { useState, type ReactNode } from 'react'
import { operatorDeviceEndpoints, type OperatorDevice } from '@saddle/contract/identity/devices.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { usePanelKeys } from '#kit/list/pageKeys.ts'
import { Button } from '#kit/plain/Button.tsx'

const { deviceAuthorizeInfo, deviceAuthorizeConfirm, deviceAuthorizeRemove, deviceLoginInfo } = operatorDeviceEndpoints
const stale = [deviceAuthorizeInfo, deviceLoginInfo]
const idsOf = (rows: readonly OperatorDevice[]): number[] => rows.map((row) => row.id)

interface Props {
  readonly rows: readonly OperatorDevice[]
  readonly onDone: () => void
  /** `1` approves, `2` refuses. */
  readonly hasKeys?: boolean
}

/** What can be decided of these devices; the buttons say of how many. An approval can be undone at once. */
export function Decisions({ rows, onDone, hasKeys = false }: Props): ReactNode {
  const [revoking, setRevoking] = useState<readonly OperatorDevice[] | null>(null)
  const approve = useAction(deviceAuthorizeConfirm, {
    stale,
    done: ({ data }) => t('已授权 {{count}} 台设备', { count: data.confirmedIds.length }),
    undo: ({ data }) => ({ ids: data.confirmedIds }),
    onDone,
  })
  const refuse = useAction(deviceAuthorizeRemove, {
    stale,
    done: ({ data }) => t('已拒绝 {{count}} 台设备', { count: data.removedIds.length }),
    onDone,
  })
  const open = rows.filter((row) => row.state !== 'approved')
  const requested = rows.filter((row) => row.state === 'requested')
  const approved = rows.filter((row) => row.state === 'approved' && !row.isThis)
  usePanelKeys(
    hasKeys && requested.length > 0
      ? [
          { key: '1', label: t('授权'), run: () => approve.send({ ids: idsOf(open) }) },
          { key: '2', label: t('拒绝申请'), run: () => refuse.send({ ids: idsOf(requested) }) },
        ]
      : [],
  )
  return (
    <div className="devices-acts">
      {open.length > 0 && (
        <Button look="primary" busy={approve.isBusy} onClick={() => approve.send({ ids: idsOf(open) })}>
          {t('授权 {{count}} 台设备', { count: open.length })}
        </Button>
      )}
      {requested.length > 0 && (
        <Button busy={refuse.isBusy} onClick={() => refuse.send({ ids: idsOf(requested) })}>
          {t('拒绝 {{count}} 台设备', { count: requested.length })}
        </Button>
      )}
      {approved.length > 0 && (
        <Button onClick={() => setRevoking(approved)}>
          {t('取消 {{count}} 台设备的授权', { count: approved.length })}
        </Button>
      )}
      {revoking !== null && <Revoke rows={revoking} onDone={onDone} onClose={() => setRevoking(null)} />}
    </div>
  )
}

interface RevokeProps {
  readonly rows: readonly OperatorDevice[]
  readonly onDone: () => void
  readonly onClose: () => void
}

const namedMax = 5

/** It ends sessions, so the consequences are shown first. */
function Revoke({ rows, onDone, onClose }: RevokeProps) {
  const title = t('取消 {{count}} 台设备的授权', { count: rows.length })
  const names = rows.slice(0, namedMax).map((row) => `${row.operatorName} · ${row.name}`)
  return (
    <FormDialog
      title={title}
      call={deviceAuthorizeRemove}
      about={idsOf(rows).join()}
      fields={{}}
      input={() => ({ ids: idsOf(rows) })}
      submit={title}
      stale={stale}
      done={({ data }) => t('已取消 {{count}} 台设备的授权', { count: data.removedIds.length })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t('{{names}}：该设备上的会话会立即结束。', { names: names.join('、') })}</p>
    </FormDialog>
  )
}
