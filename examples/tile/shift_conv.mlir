// Shift convolution, "nc(h+sh[c])(w+sw[c]), ck -> nkhw": a product of pixels and weights in which
// every channel is read at its own shift. A table holds how far each channel's element is from the
// pixel, so that a step of the inner loop costs one load from it, whatever the shifts are. After
// listing 8 of the MAPL 2019 paper.
//
//   build/bin/tile-run examples/tile/shift_conv.mlir --backend=cpu --random=7 --check=interp
//
// --random draws the shifts from the range that einsum.value_range names, ends included.

!images = memref<?x?x?x?xf32>
!ptr = !tile.ptr<f32>
!ptrs_x = tensor<32x8x!tile.ptr<f32>>
!ptrs_w = tensor<8x16x!tile.ptr<f32>>
!ptrs_y = tensor<32x16x!tile.ptr<f32>>
!ptrs_table = tensor<8x!tile.ptr<i32>>

// Sizes in elements: image and width of the input, plane and out_width of the output; it has n
// channels, the input k.
func.func @conv(%x: !ptr {tile.readonly}, %weight: !ptr {tile.readonly}, %y: !ptr,
                %table: !tile.ptr<i32> {tile.readonly}, %n: i32, %k: i32, %image: i32, %width: i32,
                %plane: i32, %out_width: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32

  // rm = 32 * program_id(x) + 0 ... 32: pixels of the image program_id(z); rn: output channels
  %pm = tile.program_id x
  %pn = tile.program_id y
  %pz = tile.program_id z
  %m0 = arith.muli %pm, %c32 : i32
  %n0 = arith.muli %pn, %c16 : i32
  %m0s = tile.splat %m0 : i32 -> tensor<32xi32>
  %n0s = tile.splat %n0 : i32 -> tensor<16xi32>
  %lane_m = tile.range 0 to 32 : tensor<32xi32>
  %lane_n = tile.range 0 to 16 : tensor<16xi32>
  %rm = arith.addi %m0s, %lane_m : tensor<32xi32>
  %rn = arith.addi %n0s, %lane_n : tensor<16xi32>
  %rk = tile.range 0 to 8 : tensor<8xi32>
  %planes = tile.splat %plane : i32 -> tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %in_m = arith.cmpi slt, %rm, %planes : tensor<32xi32>
  %in_n = arith.cmpi slt, %rn, %ns : tensor<16xi32>
  %in_m_col = tile.reshape %in_m : tensor<32xi1> -> tensor<32x1xi1>
  %in_x = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x8xi1>
  %in_w = tile.broadcast %in_n : tensor<16xi1> -> tensor<8x16xi1>

  // px[32, 8] = X + program_id(z) * image + (rm / out_width * width + rm % out_width)[:, newaxis]
  %out_widths = tile.splat %out_width : i32 -> tensor<32xi32>
  %widths = tile.splat %width : i32 -> tensor<32xi32>
  %h = arith.divui %rm, %out_widths : tensor<32xi32>
  %w = arith.remui %rm, %out_widths : tensor<32xi32>
  %row = arith.muli %h, %widths : tensor<32xi32>
  %pixel = arith.addi %row, %w : tensor<32xi32>
  %pixel_col = tile.reshape %pixel : tensor<32xi32> -> tensor<32x1xi32>
  %pixels = tile.broadcast %pixel_col : tensor<32x1xi32> -> tensor<32x8xi32>
  %image_start = arith.muli %pz, %image : i32
  %x_image = tile.addptr %x, %image_start : !ptr, i32
  %x_base = tile.splat %x_image : !ptr -> !ptrs_x
  %px = tile.addptr %x_base, %pixels : !ptrs_x, tensor<32x8xi32>

  // pw[8, 16] = W + rk[:, newaxis] * n + rn[newaxis, :]; pd[8] = table + rk
  %rk_col = tile.reshape %rk : tensor<8xi32> -> tensor<8x1xi32>
  %w_ld = tile.splat %n : i32 -> tensor<8x1xi32>
  %w_row = arith.muli %rk_col, %w_ld : tensor<8x1xi32>
  %w_rows = tile.broadcast %w_row : tensor<8x1xi32> -> tensor<8x16xi32>
  %w_cols = tile.broadcast %rn : tensor<16xi32> -> tensor<8x16xi32>
  %w_offset = arith.addi %w_rows, %w_cols : tensor<8x16xi32>
  %w_base = tile.splat %weight : !ptr -> !ptrs_w
  %pw = tile.addptr %w_base, %w_offset : !ptrs_w, tensor<8x16xi32>
  %table_base = tile.splat %table : !tile.ptr<i32> -> !ptrs_table
  %pd = tile.addptr %table_base, %rk : !ptrs_table, tensor<8xi32>

  // for (k0 = 0; k0 < k; k0 += 8) { sum += *(px + *pd) @ *pw; pd += 8; pw += 8 * n; }
  %d_step = tile.splat %c8 : i32 -> tensor<8xi32>
  %w_skip = arith.muli %c8, %n : i32
  %w_step = tile.splat %w_skip : i32 -> tensor<8x16xi32>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %sum, %pd_end, %pw_end = scf.for %k0 = %c0 to %k step %c8
      iter_args(%acc = %zero, %pd_k = %pd, %pw_k = %pw)
      -> (tensor<32x16xf32>, !ptrs_table, !ptrs_w) : i32 {
    %left = arith.subi %k, %k0 : i32
    %lefts = tile.splat %left : i32 -> tensor<8xi32>
    %in_k = arith.cmpi slt, %rk, %lefts : tensor<8xi32>
    %in_k_col = tile.reshape %in_k : tensor<8xi1> -> tensor<8x1xi1>
    %in_k_x = tile.broadcast %in_k : tensor<8xi1> -> tensor<32x8xi1>
    %in_k_w = tile.broadcast %in_k_col : tensor<8x1xi1> -> tensor<8x16xi1>
    %mask_x = arith.andi %in_x, %in_k_x : tensor<32x8xi1>
    %mask_w = arith.andi %in_w, %in_k_w : tensor<8x16xi1>
    %delta = tile.load %pd_k mask %in_k : !ptrs_table
    %deltas = tile.broadcast %delta : tensor<8xi32> -> tensor<32x8xi32>
    %px_k = tile.addptr %px, %deltas : !ptrs_x, tensor<32x8xi32>
    %a = tile.load %px_k mask %mask_x : !ptrs_x
    %b = tile.load %pw_k mask %mask_w : !ptrs_w
    %next = tile.dot %a, %b, %acc : tensor<32x8xf32>, tensor<8x16xf32>, tensor<32x16xf32>
    %pd_next = tile.addptr %pd_k, %d_step : !ptrs_table, tensor<8xi32>
    %pw_next = tile.addptr %pw_k, %w_step : !ptrs_w, tensor<8x16xi32>
    scf.yield %next, %pd_next, %pw_next : tensor<32x16xf32>, !ptrs_table, !ptrs_w
  }

  // py[32, 16] = Y + (program_id(z) * n + rn)[newaxis, :] * plane + rm[:, newaxis]
  %channel_start = arith.muli %pz, %n : i32
  %channel_starts = tile.splat %channel_start : i32 -> tensor<16xi32>
  %channel = arith.addi %channel_starts, %rn : tensor<16xi32>
  %plane_n = tile.splat %plane : i32 -> tensor<16xi32>
  %y_channel = arith.muli %channel, %plane_n : tensor<16xi32>
  %y_channels = tile.broadcast %y_channel : tensor<16xi32> -> tensor<32x16xi32>
  %rm_col = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %y_pixels = tile.broadcast %rm_col : tensor<32x1xi32> -> tensor<32x16xi32>
  %y_offset = arith.addi %y_channels, %y_pixels : tensor<32x16xi32>
  %y_base = tile.splat %y : !ptr -> !ptrs_y
  %py = tile.addptr %y_base, %y_offset : !ptrs_y, tensor<32x16xi32>
  %in_ms = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x16xi1>
  %in_ns = tile.broadcast %in_n : tensor<16xi1> -> tensor<32x16xi1>
  %in_y = arith.andi %in_ms, %in_ns : tensor<32x16xi1>
  tile.store %py, %sum mask %in_y : !ptrs_y
  return
}

func.func @main(%x: !images {einsum.example_shape = array<i64: 2, 19, 9, 8>},
                %weight: memref<?x?xf32> {einsum.example_shape = array<i64: 19, 21>},
                %sh: memref<?xi32> {einsum.example_shape = array<i64: 19>,
                                    einsum.value_range = array<i64: 0, 2>},
                %sw: memref<?xi32> {einsum.example_shape = array<i64: 19>,
                                    einsum.value_range = array<i64: 0, 2>},
                %y: !images {einsum.example_shape = array<i64: 2, 21, 7, 6>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %batch = memref.dim %x, %c0 : !images
  %channels = memref.dim %x, %c1 : !images
  %height = memref.dim %x, %c2 : !images
  %width = memref.dim %x, %c3 : !images
  %out_channels = memref.dim %y, %c1 : !images
  %out_height = memref.dim %y, %c2 : !images
  %out_width = memref.dim %y, %c3 : !images
  %plane = arith.muli %height, %width : index
  %image = arith.muli %channels, %plane : index
  %out_plane = arith.muli %out_height, %out_width : index

  // table[c] = c * plane + sh[c] * width + sw[c]. The pipeline frees the table.
  %table = memref.alloc(%channels) : memref<?xi32>
  scf.for %c = %c0 to %channels step %c1 {
    %down_i32 = memref.load %sh[%c] : memref<?xi32>
    %right_i32 = memref.load %sw[%c] : memref<?xi32>
    %down = arith.index_cast %down_i32 : i32 to index
    %right = arith.index_cast %right_i32 : i32 to index
    %channel = arith.muli %c, %plane : index
    %rows = arith.muli %down, %width : index
    %shifted = arith.addi %channel, %rows : index
    %distance = arith.addi %shifted, %right : index
    %delta = arith.index_cast %distance : index to i32
    memref.store %delta, %table[%c] : memref<?xi32>
  }

  %programs_m = arith.ceildivui %out_plane, %c32 : index
  %programs_n = arith.ceildivui %out_channels, %c16 : index
  %n = arith.index_cast %out_channels : index to i32
  %k = arith.index_cast %channels : index to i32
  %image_i32 = arith.index_cast %image : index to i32
  %width_i32 = arith.index_cast %width : index to i32
  %plane_i32 = arith.index_cast %out_plane : index to i32
  %out_width_i32 = arith.index_cast %out_width : index to i32
  tile.launch @conv grid(%programs_m, %programs_n, %batch)
      (%x, %weight, %y, %table, %n, %k, %image_i32, %width_i32, %plane_i32, %out_width_i32)
      : !images, memref<?x?xf32>, !images, memref<?xi32>, i32, i32, i32, i32, i32, i32
  return
}
