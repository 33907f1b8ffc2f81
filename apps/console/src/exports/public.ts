export { exportColumns } from './columns.tsx'
