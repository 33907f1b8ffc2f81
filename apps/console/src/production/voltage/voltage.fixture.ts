import type { VoltageScheme } from '@saddle/contract/production/voltage.ts'
import type { VoltageVersion } from '@saddle/contract/production/voltageWords.ts'

const at = 1_795_000_000_000

/** A scheme of one model with a draft. */
export const schemeOf = (changes: Partial<VoltageScheme> = {}): VoltageScheme => ({
  id: 1,
  name: '48V 13S',
  cells: 13,
  note: '',
  state: 'draft',
  number: 1,
  emptyV: 40,
  fullV: 50,
  from: null,
  models: ['S1'],
  vehicles: 12,
  hasDraft: true,
  createdAt: at,
  maySet: true,
  ...changes,
})

export const draftOf = (changes: Partial<VoltageVersion> = {}): VoltageVersion => ({
  id: 7,
  number: 1,
  revision: 2,
  state: 'draft',
  from: null,
  until: null,
  points: [
    { voltageV: 40, percent: 0 },
    { voltageV: 45, percent: 50 },
    { voltageV: 50, percent: 100 },
  ],
  hysteresisPercent: 2,
  loadDropV: 1,
  chargeRiseV: 0,
  models: [{ model: 'S1', protocol: 'omni' }],
  changedAt: at,
  changedBy: '林一',
  decidedBy: null,
  vehicles: 0,
  replay: null,
  isReplayed: false,
  ...changes,
})
