export { demoLogins } from './people.ts'
export { seedDemo } from './seed.ts'
