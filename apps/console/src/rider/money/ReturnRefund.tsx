import { lazy, Suspense, useState, type ReactNode } from 'react'
import { walletEndpoints, type ChannelRefund } from '@saddle/contract/finance/wallet.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { AmountAct } from './AmountDialog.tsx'
import { useMoneyAct } from './useMoney.ts'

const AmountDialog = lazy(() => loadChunk(() => import('./AmountDialog.tsx')))

/** Gives a refund that the channel could not pay out to the rider's balance, with a reason. */
export function ReturnRefund({ refund, look }: { refund: ChannelRefund; look?: 'quiet' }): ReactNode {
  const [open, setOpen] = useState(false)
  const send = useMoneyAct(walletEndpoints.returnRefund, () => {
    notify.success({ text: t('已转为骑行者的余额') })
    setOpen(false)
  })
  const act: AmountAct = {
    title: t('转为余额'),
    effect: t('支付渠道退不成的这笔退款转为骑行者的余额，之后不再请渠道退款。请先确认渠道确实没有退出。'),
    maxCents: refund.cents,
    isWhole: true,
    button: (yuan) => t('转 {{yuan}} 元为余额', { yuan }),
    busy: send.isPending,
    run: ({ reason, idempotencyKey, settle }) =>
      send.mutate({ input: { refundId: refund.id, reason }, idempotencyKey }, { onSettled: settle }),
  }
  return (
    <>
      <Button {...(look !== undefined && { look })} onClick={() => setOpen(true)}>
        {t('转为余额')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <AmountDialog act={act} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
