import type { OtherSpecimens, Specimens } from './specimen.ts'

export const lookupSpecimens = {
  lookup: (of) => ({ text: of.vehicleNumber }),
} satisfies Partial<Specimens>

export const otherLookupSpecimens = {
  lookup: [
    (of) => ({ text: of.riderPhone }),
    (of) => ({ text: of.marker }),
    (of) => ({ text: `${of.marker} rider` }),
    (of) => ({ text: of.manager }),
    (of) => ({ text: of.imei }),
  ],
} satisfies OtherSpecimens
