import { AppError } from '@saddle/contract/errors.ts'
import { couponBatchFields, couponBatchList } from '@saddle/contract/marketing/couponBatches.ts'
import {
  couponFields,
  couponList,
  couponTemplateFields,
  couponTemplateList,
  type couponEndpoints,
} from '@saddle/contract/marketing/coupons.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { CouponDeps } from './deps.ts'
import { issueToRiders, makeCodes } from './issue.ts'
import { previewCoupon } from './preview.ts'
import { revokeCoupons } from './revoke.ts'
import { revokeBatch } from './revokeBatches.ts'
import {
  batchRows,
  couponRows,
  presentBatch,
  presentCoupon,
  presentIssuer,
  presentTemplate,
  presentVersion,
  selectIssuers,
  selectVersions,
  templateRows,
} from './store.ts'
import { changeTemplate, createTemplate, switchTemplate } from './templates.ts'

/** Kinds of coupons, how they are issued, and each coupon. */
export function createCouponHandlers(deps: CouponDeps): Handlers<typeof couponEndpoints> {
  const { kit, riders } = deps
  const templates = serveList(deps, couponTemplateList, {
    name: 'coupon-templates',
    rows: templateRows,
    present: presentTemplate,
    file: { action: 'coupon.export', fields: couponTemplateFields },
  })
  const batches = serveList(deps, couponBatchList, {
    name: 'coupon-batches',
    rows: batchRows,
    present: presentBatch,
    file: { action: 'coupon.export', fields: couponBatchFields },
  })
  const coupons = serveList(deps, couponList, {
    name: 'coupons',
    prepare: async (filter, { scope }) => ({ riderIds: await riders.idsOf(scope, filter) }),
    rows: couponRows,
    present: ({ phone_sealed, phone_hash, ...row }) => ({
      ...presentCoupon({ phone_sealed, phone_hash, ...row }),
      phone: phone_sealed === null || phone_hash === null ? null : riders.maskedPhone({ phone_sealed, phone_hash }),
    }),
    file: { action: 'coupon.export', fields: couponFields },
  })
  return {
    listCouponTemplates: templates.page,
    sumCouponTemplates: templates.sums,
    exportCouponTemplates: templates.file,
    createCouponTemplate: async (input, call) => ({ suc: true, data: await createTemplate(deps, call, input) }),
    changeCouponTemplate: async (input, call) => ({ suc: true, data: await changeTemplate(deps, call, input) }),
    switchCouponTemplate: async (input, call) => ({ suc: true, data: await switchTemplate(deps, call, input) }),

    previewCoupon: async (input, { scope }) => {
      if (!scope.agentIds.includes(input.agentId)) throw new AppError('foreign_scope')
      return { suc: true, data: await previewCoupon(deps, { ...input, scope }) }
    },

    couponTemplateVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map(presentVersion) } }
    },

    couponTemplateSources: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectIssuers({ id, scope }).compile(k))
      return { suc: true, data: { list: rows.map(presentIssuer) } }
    },

    listCouponBatches: batches.page,
    exportCouponBatches: batches.file,
    issueCoupons: async (input, call) => ({ suc: true, data: await issueToRiders(deps, call, input) }),
    makeCouponCodes: async (input, call) => ({ suc: true, data: await makeCodes(deps, call, input) }),
    listCoupons: coupons.page,
    sumCoupons: coupons.sums,
    exportCoupons: coupons.file,
    revokeCoupons: async (input, call) => ({ suc: true, data: { revoked: await revokeCoupons(deps, call, input) } }),
    revokeCouponBatch: async (input, call) => ({ suc: true, data: await revokeBatch(deps, call, input) }),
  }
}
