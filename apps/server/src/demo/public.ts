export { demoLogins, type DemoLogin } from './people.ts'
export { seedDemo } from './seed.ts'
