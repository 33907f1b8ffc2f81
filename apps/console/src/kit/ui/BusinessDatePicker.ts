import dayjsConfig from '@rc-component/picker/generate/dayjs'
import generatePicker from 'antd/es/date-picker/generatePicker'
import dayjs, { type Dayjs } from 'dayjs'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'

/**
 * The calendar of antd, whose "today" and "now" are those of the business and of the server's clock. The calendar works
 * on the digits of business time, so a browser in another time zone must not mark its own day.
 */
export const BusinessDatePicker = generatePicker<Dayjs>({
  ...dayjsConfig,
  getNow: () => dayjs(dateTime(serverNow()).replace(' ', 'T')),
})
