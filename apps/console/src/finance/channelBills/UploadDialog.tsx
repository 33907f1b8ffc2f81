import type { ReactNode } from 'react'
import { channelBillEndpoints, channelBillFileMax } from '@saddle/contract/finance/channelBills.ts'
import { paymentChannelLabels, paymentChannels } from '@saddle/contract/finance/payments.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { day } from '#kit/form/otherFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { pickedFile } from '#kit/form/pickedFile.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleBills } from './stale.ts'

/** A bill by hand, where it could not be fetched. All of it is compared, or nothing. */
export default function UploadDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('上传账单')}
      call={channelBillEndpoints.uploadChannelBill}
      about="bill"
      fields={{
        channel: choice({
          label: t('渠道'),
          initial: paymentChannels[0],
          options: paymentChannels.map((value) => ({ value, label: t(paymentChannelLabels[value]) })),
        }),
        day: day({ label: t('账单日期'), initial: addDays(businessDayOf(serverNow()), -1), as: 'start' }),
        picked: pickedFile({
          label: t('账单文件'),
          at: 'file',
          accept: '.csv,.gz,.zip',
          // Three bytes are four characters.
          bytesMax: (channelBillFileMax / 4) * 3,
          tooLarge: t('文件太大，请等待自动下载'),
          packs: /(?<!\.gz|\.zip)$/i,
        }),
        sha1: text({ label: 'SHA-1', hint: t('微信支付在文件旁给出，填写后先核对'), isOptional: true }),
      }}
      input={({ day: at, picked, ...values }) => ({ ...values, day: businessDayOf(at ?? 0), file: picked.base64 })}
      submit={t('核对账单')}
      stale={staleBills}
      done={({ data }) =>
        data.isKnown
          ? t('这份账单已经核对过，没有变化')
          : t('已核对 {{lines}} 行，{{count}} 笔差异', { lines: data.lines, count: data.differences })
      }
      onClose={onClose}
    >
      <p>{t('微信支付交易账单（CSV）或支付宝业务明细（CSV、ZIP）。文件有误时全部不入账。')}</p>
    </FormDialog>
  )
}
