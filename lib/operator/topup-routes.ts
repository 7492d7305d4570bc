import {
  attendedResponse,
  batchesQuery,
  batchesResponse,
  cancelBatchResponse,
  changePackageRequest,
  createBatchRequest,
  createBatchResponse,
  createPackageRequest,
  operatorPackagesResponse,
  operatorPaymentsQuery,
  operatorPaymentsResponse,
  packageResponse,
  vouchersQuery,
  vouchersResponse,
} from "../contract/operator-topup";
import { siteHandler } from "../http/site";
import { SiteFile, siteFile } from "../http/site-file";
import { listAllPackages } from "../queries/packages";
import { listAllPayments } from "../queries/payments";
import { listBatchVouchers, listVoucherBatches, vouchersCsv } from "../queries/vouchers";
import type { Host } from "../site/site-routes";
import { attendToPayment, cancelBatch, changeOnePackage, createBatch, createOnePackage } from "./topup";

/** `/api/admin/vouchers…`, `/packages` and `/payments`. */
export function topupRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { ...read, proof: "recent" } as const;
  return {
    listVoucherBatches: siteHandler(host, {
      ...read,
      query: batchesQuery,
      answer: batchesResponse,
      run: ({ parts, query }) => listVoucherBatches(parts, query),
    }),
    createVouchers: siteHandler(host, {
      ...write,
      status: 201,
      body: createBatchRequest,
      answer: createBatchResponse,
      run: createBatch,
    }),
    listBatchVouchers: siteHandler(host, {
      ...read,
      query: vouchersQuery,
      answer: vouchersResponse,
      run: ({ parts, id, query }) => listBatchVouchers(parts, { ...query, batchId: id }),
    }),
    downloadBatch: siteHandler(host, {
      ...read,
      answer: siteFile,
      run: async ({ parts, id }) => new SiteFile(`vouchers-${id}.csv`, await vouchersCsv(parts, { batchId: id })),
    }),
    cancelVouchers: siteHandler(host, { ...write, answer: cancelBatchResponse, run: cancelBatch }),
    listAllPackages: siteHandler(host, { ...read, answer: operatorPackagesResponse, run: ({ parts }) => listAllPackages(parts) }),
    createPackage: siteHandler(host, { ...write, status: 201, body: createPackageRequest, answer: packageResponse, run: createOnePackage }),
    changePackage: siteHandler(host, { ...write, body: changePackageRequest, answer: packageResponse, run: changeOnePackage }),
    listAllPayments: siteHandler(host, {
      ...read,
      query: operatorPaymentsQuery,
      answer: operatorPaymentsResponse,
      run: ({ parts, query }) => listAllPayments(parts, query),
    }),
    attendToPayment: siteHandler(host, { ...read, answer: attendedResponse, run: attendToPayment }),
  };
}
