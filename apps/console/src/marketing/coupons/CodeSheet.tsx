import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { CouponBatch } from '@saddle/contract/marketing/couponBatches.ts'
import { couponEndpoints, type Coupon } from '@saddle/contract/marketing/coupons.ts'
import { pageSizeMax } from '@saddle/contract/constants.ts'
import { call } from '#kit/api/client.ts'
import { dateOnly } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { QrCode } from '#kit/ui/QrCode.tsx'

/** Codes of one print: 20 sheets of 24. Larger batches are exported. */
export const printedCodesMax = 480

export interface PrintedCodes {
  readonly batch: CouponBatch
  readonly codes: readonly Coupon[]
  /** More can be claimed than are printed. */
  readonly isCut: boolean
}

/** The codes of a batch that nobody has claimed, the newest first. */
export async function readCodes(batch: CouponBatch): Promise<PrintedCodes> {
  const codes: Coupon[] = []
  let cursor: string | undefined
  do {
    const { data } = await call(couponEndpoints.listCoupons, {
      filter: { batchId: batch.id, states: ['open'] },
      pageSize: pageSizeMax,
      ...(cursor !== undefined && { cursor }),
    })
    codes.push(...data.list.filter(({ code, riderId }) => code !== null && riderId === null))
    cursor = data.nextCursor ?? undefined
  } while (cursor !== undefined && codes.length < printedCodesMax)
  return {
    batch,
    codes: codes.slice(0, printedCodesMax),
    isCut: cursor !== undefined || codes.length > printedCodesMax,
  }
}

interface Props extends PrintedCodes {
  readonly onDone: () => void
}

/** Codes to cut out of A4 sheets, each with a QR code that holds its text. Opens the browser's print dialog. */
export function CodeSheet({ batch, codes, isCut, onDone }: Props): ReactNode {
  useEffect(() => {
    globalThis.addEventListener('afterprint', onDone, { once: true })
    globalThis.print()
    return () => globalThis.removeEventListener('afterprint', onDone)
  }, [onDone])
  return createPortal(
    <section className="code-sheet" aria-label={t('兑换码')}>
      {isCut && <p>{t('只打印前 {{count}} 个，其余请导出', { count: codes.length })}</p>}
      <ol>
        {codes.map(({ id, code, endsAt }) => (
          <li key={id}>
            <QrCode text={code ?? ''} label={code ?? ''} />
            <div>
              <strong>{batch.name}</strong>
              <code>{(code ?? '').replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
              <small>{t('{{day}} 前兑换', { day: dateOnly(endsAt) })}</small>
            </div>
          </li>
        ))}
      </ol>
    </section>,
    document.body,
  )
}
