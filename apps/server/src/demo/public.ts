export { startHistoryImport, type HistoryImport } from './history/import.ts'
export { demoLogins } from './people.ts'
export { seedDemo } from './seed.ts'
export { writeDemoDevices } from './devices.ts'
