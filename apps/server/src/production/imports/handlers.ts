import {
  importColumns,
  importColumnTitles,
  vehicleImportFields,
  vehicleImportList,
  vehicleImportRowFields,
  vehicleImportRowList,
} from '@saddle/contract/production/importWords.ts'
import type { importEndpoints } from '@saddle/contract/production/imports.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import { sheetTemplate } from '#kit/files/sheetTemplate.ts'
import { serveList } from '#kit/list/serveList.ts'
import { checkSheet } from './check.ts'
import { commitImport, discardImport, undoImport } from './decide.ts'
import type { ImportDeps } from './deps.ts'
import { registerSingle, updateUnit } from './single.ts'
import {
  importRows,
  lineRows,
  presentImport,
  presentLine,
  presentReason,
  presentState,
  selectHeard,
  selectImport,
  selectReasons,
  selectStates,
} from './store.ts'

/** How vehicles come into the platform. */
export function createImportHandlers(deps: ImportDeps): Handlers<typeof importEndpoints> {
  const { kit } = deps
  const imports = serveList(deps, vehicleImportList, {
    name: 'vehicle-imports',
    rows: importRows,
    present: presentImport,
    file: { action: 'vehicle_import.export', fields: vehicleImportFields },
  })
  const lines = serveList(deps, vehicleImportRowList, {
    name: 'vehicle-import-rows',
    rows: lineRows,
    present: presentLine,
    file: { action: 'vehicle_import.export', fields: vehicleImportRowFields },
  })
  return {
    listVehicleImports: imports.page,
    exportVehicleImports: imports.file,
    listVehicleImportRows: lines.page,
    exportVehicleImportRows: lines.file,

    uploadCarIdExcel: async (input, call) => ({ suc: true, data: await checkSheet(deps, call, input) }),
    uploadCarIdSingle: async (input, call) => ({ suc: true, data: await registerSingle(deps, call, input) }),
    uploadCarIdUpdate: async (input, call) => ({
      suc: true,
      data: { vehicleId: await updateUnit(deps, call, input) },
    }),

    uploadCarIdAmount: async ({ id }, { scope }) => {
      const states = await kit.db.read(scope, (k) => selectStates(scope).compile(k))
      if (id === undefined) return { suc: true, data: { states: states.map(presentState), reasons: [], heard: 0 } }
      const [batch] = await kit.db.read(scope, (k) => selectImport({ id, scope }).compile(k))
      if (batch === undefined) throw new AppError('not_found')
      const reasons = await kit.db.read(scope, (k) => selectReasons(id).compile(k))
      const [called] = await kit.db.read(scope, (k) => selectHeard(id).compile(k))
      return {
        suc: true,
        data: { states: states.map(presentState), reasons: reasons.map(presentReason), heard: called?.heard ?? 0 },
      }
    },

    vehicleImportTemplate: async () => ({ suc: true, data: await template() }),

    commitVehicleImport: async (input, call) => ({
      suc: true,
      data: { id: input.id, made: await commitImport(deps, call, input) },
    }),
    undoVehicleImport: async ({ id }, call) => ({
      suc: true,
      data: { id, removed: await undoImport(deps, call, id) },
    }),
    discardVehicleImport: async ({ id }, call) => {
      await discardImport(deps, call, id)
      return { suc: true, data: { id } }
    },
  }
}

const example = ['SD000001', '490154203237518', 'SN20260001', 'A4:C1:38:00:00:01', '89860000000000000001', 'S1', '']

const template = () =>
  sheetTemplate({
    name: '车辆清单',
    titles: importColumns.map((column) => importColumnTitles[column]),
    example,
  })
