import { plainTextSchema } from '#contract/answers.ts'

export const companyNameMax = 80
export const companyNameSchema = plainTextSchema.trim().min(2).max(companyNameMax)
export const areaNameSchema = plainTextSchema.trim().min(1).max(40)
