import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useLanguage } from '#kit/i18n/index.ts'

/** Names of months and days, and the first day of the week, in the person's language. */
export function useCalendarLanguage(): void {
  // It is read while the calendar below is drawn: an effect would come too late.
  dayjs.locale(useLanguage() === 'zh' ? 'zh-cn' : 'en')
}
