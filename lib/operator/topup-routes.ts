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
import { siteFile } from "../http/site-file";
import type { Host } from "../site/site-routes";
import {
  attendToPayment,
  cancelBatch,
  changeOnePackage,
  createBatch,
  createOnePackage,
  downloadBatch,
  listAllPackages,
  listAllPayments,
  listBatchVouchers,
  listVoucherBatches,
} from "./topup";

/** `/api/admin/vouchers…`, `/packages` and `/payments`. */
export function topupRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { ...read, proof: "recent" } as const;
  return {
    listVoucherBatches: siteHandler(host, { ...read, query: batchesQuery, answer: batchesResponse, run: listVoucherBatches }),
    createVouchers: siteHandler(host, {
      ...write,
      status: 201,
      body: createBatchRequest,
      answer: createBatchResponse,
      run: createBatch,
    }),
    listBatchVouchers: siteHandler(host, { ...read, query: vouchersQuery, answer: vouchersResponse, run: listBatchVouchers }),
    downloadBatch: siteHandler(host, { ...read, answer: siteFile, run: downloadBatch }),
    cancelVouchers: siteHandler(host, { ...write, answer: cancelBatchResponse, run: cancelBatch }),
    listAllPackages: siteHandler(host, { ...read, answer: operatorPackagesResponse, run: listAllPackages }),
    createPackage: siteHandler(host, { ...write, status: 201, body: createPackageRequest, answer: packageResponse, run: createOnePackage }),
    changePackage: siteHandler(host, { ...write, body: changePackageRequest, answer: packageResponse, run: changeOnePackage }),
    listAllPayments: siteHandler(host, { ...read, query: operatorPaymentsQuery, answer: operatorPaymentsResponse, run: listAllPayments }),
    attendToPayment: siteHandler(host, { ...read, answer: attendedResponse, run: attendToPayment }),
  };
}
